{{- define "muster.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "muster.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "muster.labels" -}}
{{ include "muster.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "muster.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* A single node drains for nobody: there is no other one that requests could go to meanwhile. */}}
{{- define "muster.drainSeconds" -}}
{{- if eq .Values.store.kind "mongodb" -}}{{ .Values.drainSeconds }}{{- else -}}0{{- end -}}
{{- end -}}

{{- define "muster.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "muster.name" .) -}}
{{- end -}}

{{/* Both kinds of nodes run the same. */}}
{{- define "muster.pod" -}}
metadata:
  labels:
    {{- include "muster.labels" . | nindent 4 }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "muster.serviceAccount" . }}
  automountServiceAccountToken: false
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  # The service drains by itself when it is asked to stop, so that no preStop has to wait. Requests under way have ten seconds after that.
  terminationGracePeriodSeconds: {{ add (include "muster.drainSeconds" .) 30 }}
  containers:
    - name: muster
      image: {{ include "muster.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      env:
        {{- if eq .Values.store.kind "mongodb" }}
        - name: SERVICE_DATABASE_URL_FILE
          value: /run/secrets/muster-store/{{ .Values.store.existingSecretKey }}
        {{- end }}
        {{- if .Values.instanceKey.existingSecret }}
        - name: SERVICE_INSTANCE_KEY_FILE
          value: /run/secrets/muster-key/{{ .Values.instanceKey.existingSecretKey }}
        {{- end }}
        {{- with .Values.baseUrl }}
        - name: SERVICE_BASE_URL
          value: {{ . | quote }}
        {{- end }}
        - name: SERVICE_DRAIN_SECONDS
          value: {{ include "muster.drainSeconds" . | quote }}
        - name: SERVICE_TRUSTED_PROXIES
          value: {{ .Values.trustedProxies | quote }}
        {{- if .Values.toolServer.enabled }}
        - name: MCPSERVER_ENABLED
          value: "1"
        - name: MCPSERVER_PORT
          value: {{ .Values.toolServer.port | quote }}
        {{- end }}
        {{- with .Values.env }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with .Values.envFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - name: http
          containerPort: 8080
        {{- if .Values.toolServer.enabled }}
        - name: tools
          containerPort: {{ .Values.toolServer.port }}
        {{- end }}
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        # The schema of a large store is migrated at start.
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 15
        timeoutSeconds: 5
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /var/lib/muster
        - name: tmp
          mountPath: /tmp
        {{- if eq .Values.store.kind "mongodb" }}
        - name: store
          mountPath: /run/secrets/muster-store
          readOnly: true
        {{- end }}
        {{- if .Values.instanceKey.existingSecret }}
        - name: key
          mountPath: /run/secrets/muster-key
          readOnly: true
        {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if eq .Values.store.kind "mongodb" }}
    - name: data
      emptyDir: {}
    - name: store
      secret:
        secretName: {{ required "store.existingSecret: with store.kind mongodb, name the secret with the address of the database" .Values.store.existingSecret }}
        defaultMode: 0440
    {{- end }}
    {{- if .Values.instanceKey.existingSecret }}
    - name: key
      secret:
        secretName: {{ .Values.instanceKey.existingSecret }}
        defaultMode: 0440
    {{- end }}
{{- end -}}
