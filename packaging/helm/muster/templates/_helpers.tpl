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
{{- if ne .Values.store.kind "sqlite" -}}{{ .Values.drainSeconds }}{{- else -}}0{{- end -}}
{{- end -}}

{{- define "muster.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "muster.name" .) -}}
{{- end -}}

{{/* Behind an ingress everybody would have the address of its controller, or could claim any. */}}
{{- define "muster.trustedProxies" -}}
{{- $value := toString .Values.trustedProxies -}}
{{- if and .Values.ingress.enabled (has $value (list "" "0")) (not .Values.tls.existingSecret) -}}
{{- fail "trustedProxies: with ingress.enabled, name the networks of the pods of the ingress controller, such as 10.42.0.0/16, or the number of proxies" -}}
{{- end -}}
{{- $value | default "0" -}}
{{- end -}}

{{/* Variables win over the file: what has a value of its own in values.yaml is said there. */}}
{{- define "muster.config" -}}
{{- range $key, $value := dict "DATABASE_URL" "store.existingSecret" "DATABASE_PASSWORD" "store.existingSecretPasswordKey" "INSTANCE_KEY_FILE" "instanceKey.existingSecret" "BASE_URL" "baseUrl" "DRAIN_SECONDS" "drainSeconds" "TRUSTED_PROXIES" "trustedProxies" "TLS_CERT" "tls.existingSecret" "TLS_KEY" "tls.existingSecret" "HTTP_PORT" "service.port" -}}
{{- if hasKey $.Values.config $key -}}
{{- fail (printf "config.%s: set the value %s instead" $key $value) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.config .Values.existingConfigSecret -}}
{{- fail "config: there is one configuration file; put it into existingConfigSecret, or leave that out" -}}
{{- end -}}
{{- toYaml .Values.config -}}
{{- end -}}

{{/* Both kinds of nodes run the same. */}}
{{- define "muster.pod" -}}
{{- $config := include "muster.config" . -}}
metadata:
  labels:
    {{- include "muster.labels" . | nindent 4 }}
  annotations:
    # A changed configuration starts the nodes anew.
    muster/config: {{ sha256sum $config }}
    {{- with .Values.podAnnotations }}
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
    {{- toYaml .Values.podSecurityContext | nindent 4 }}
  # The service drains by itself when it is asked to stop, so that no preStop has to wait. Requests under way have ten seconds after that.
  terminationGracePeriodSeconds: {{ add (include "muster.drainSeconds" .) 30 }}
  {{- with .Values.initContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
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
        {{- if ne .Values.store.kind "sqlite" }}
        - name: SERVICE_DATABASE_URL_FILE
          value: /run/secrets/muster-store/{{ .Values.store.existingSecretKey }}
        {{- with .Values.store.existingSecretPasswordKey }}
        - name: SERVICE_DATABASE_PASSWORD_FILE
          value: /run/secrets/muster-store/{{ . }}
        {{- end }}
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
          value: {{ include "muster.trustedProxies" . | quote }}
        {{- if or .Values.config .Values.existingConfigSecret }}
        - name: SERVICE_CONFIG_DIR
          value: /etc/muster
        {{- end }}
        {{- if .Values.tls.existingSecret }}
        - name: SERVICE_TLS_CERT
          value: /run/secrets/muster-tls/tls.crt
        - name: SERVICE_TLS_KEY
          value: /run/secrets/muster-tls/tls.key
        {{- end }}
        {{- if .Values.certificateAuthorities.existingConfigMap }}
        - name: NODE_EXTRA_CA_CERTS
          value: /etc/muster-authorities/{{ .Values.certificateAuthorities.key }}
        {{- end }}
        {{- if and (ne .Values.store.kind "sqlite") .Values.sharedData.existingClaim }}
        - name: SERVICE_SHARED_DATA
          value: "true"
        {{- end }}
        {{- if .Values.backups.existingClaim }}
        - name: SERVICE_BACKUP_DIR
          value: /var/backups/muster
        {{- end }}
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
        httpGet: { path: /healthz, port: http{{ if .Values.tls.existingSecret }}, scheme: HTTPS{{ end }} }
        periodSeconds: 2
        # The schema of a large store is migrated at start.
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /healthz, port: http{{ if .Values.tls.existingSecret }}, scheme: HTTPS{{ end }} }
        periodSeconds: 15
        timeoutSeconds: 5
      readinessProbe:
        httpGet: { path: /readyz, port: http{{ if .Values.tls.existingSecret }}, scheme: HTTPS{{ end }} }
        periodSeconds: 5
        timeoutSeconds: 5
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /var/lib/muster
        - name: tmp
          mountPath: /tmp
        {{- if ne .Values.store.kind "sqlite" }}
        - name: store
          mountPath: /run/secrets/muster-store
          readOnly: true
        {{- end }}
        {{- if .Values.instanceKey.existingSecret }}
        - name: key
          mountPath: /run/secrets/muster-key
          readOnly: true
        {{- end }}
        {{- if or .Values.config .Values.existingConfigSecret }}
        - name: config
          mountPath: /etc/muster
          readOnly: true
        {{- end }}
        {{- if .Values.tls.existingSecret }}
        - name: tls
          mountPath: /run/secrets/muster-tls
          readOnly: true
        {{- end }}
        {{- if .Values.certificateAuthorities.existingConfigMap }}
        - name: authorities
          mountPath: /etc/muster-authorities
          readOnly: true
        {{- end }}
        {{- if .Values.backups.existingClaim }}
        - name: backups
          mountPath: /var/backups/muster
        {{- end }}
        {{- with .Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
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
  {{- if or .Values.topologySpreadConstraints (ne .Values.store.kind "sqlite") }}
  topologySpreadConstraints:
    {{- $spread := list }}
    {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    {{- $spread = append $spread (dict "maxSkew" 1 "topologyKey" . "whenUnsatisfiable" "ScheduleAnyway") }}
    {{- end }}
    {{- range .Values.topologySpreadConstraints | default $spread }}
    - {{- toYaml . | nindent 6 }}
      {{- if not (hasKey . "labelSelector") }}
      labelSelector:
        matchLabels:
          {{- include "muster.selector" $ | nindent 10 }}
      {{- end }}
    {{- end }}
  {{- end }}
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: {{ .Values.temporary.sizeLimit }}
    {{- if ne .Values.store.kind "sqlite" }}
    - name: data
      {{- if .Values.sharedData.existingClaim }}
      persistentVolumeClaim:
        claimName: {{ .Values.sharedData.existingClaim }}
      {{- else }}
      emptyDir:
        sizeLimit: {{ .Values.sharedData.sizeLimit }}
      {{- end }}
    - name: store
      secret:
        secretName: {{ required (printf "store.existingSecret: with store.kind %s, name the secret with the address of the database" .Values.store.kind) .Values.store.existingSecret }}
        defaultMode: 0440
    {{- end }}
    {{- if .Values.instanceKey.existingSecret }}
    - name: key
      secret:
        secretName: {{ .Values.instanceKey.existingSecret }}
        defaultMode: 0440
    {{- end }}
    {{- if .Values.config }}
    - name: config
      configMap:
        name: {{ include "muster.name" . }}
    {{- else if .Values.existingConfigSecret }}
    - name: config
      secret:
        secretName: {{ .Values.existingConfigSecret }}
        defaultMode: 0440
    {{- end }}
    {{- with .Values.tls.existingSecret }}
    - name: tls
      secret:
        secretName: {{ . }}
        defaultMode: 0440
    {{- end }}
    {{- with .Values.certificateAuthorities.existingConfigMap }}
    - name: authorities
      configMap:
        name: {{ . }}
    {{- end }}
    {{- with .Values.backups.existingClaim }}
    - name: backups
      persistentVolumeClaim:
        claimName: {{ . }}
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
