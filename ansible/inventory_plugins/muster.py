# SPDX-License-Identifier: Apache-2.0
"""Inventory plugin: the hosts of a Muster, from its command line or over HTTP."""

DOCUMENTATION = r"""
name: muster
short_description: Hosts, groups and variables of Muster
version_added: "0.1.0"
description:
  - Reads the inventory of one provider of Muster. A file named C(muster.yml), C(muster.yaml) or ending in C(.muster.yml) or
    C(.muster.yaml) that names it as C(plugin) selects it.
  - Variables are marked as unsafe, so that template text in them is never evaluated.
  - C(compose), C(groups) and C(keyed_groups) make further variables and groups of them, as in other inventory plugins.
  - C(cache) keeps the inventory, with secrets that rules put into it, where C(cache_plugin) says.
extends_documentation_fragment:
  - constructed
  - inventory_cache
options:
  plugin:
    description:
      - The name of this plugin, which is C(muster_cmdb.muster.muster) in the collection, and C(muster) where its file lies in a folder
        of inventory plugins.
    required: true
    choices: [muster, muster_cmdb.muster.muster]
  mode:
    description: C(local) runs the command C(muster inventory); C(http) asks a service.
    choices: [local, http]
    default: local
    env:
      - name: MUSTER_INVENTORY_MODE
  provider:
    description: The inventory provider.
    default: automation
    env:
      - name: SERVICE_INVENTORY_PROVIDER
  host:
    description: Only this host, with its groups.
    default: ''
    env:
      - name: SERVICE_INVENTORY_HOST
  program:
    description:
      - The program of mode C(local). Without it the script C(inventory) of the installation that this plugin belongs to, or else
        C(muster) on PATH.
    default: ''
    env:
      - name: MUSTER_PROGRAM
  url:
    description: Address of the service in mode C(http), such as C(https://muster.example.org).
    default: ''
    env:
      - name: MUSTER_URL
      - name: SERVICE_BASE_URL
  token:
    description:
      - Personal API token of a user with the role C(automation), for mode C(http), as C(muster user token create) prints it. It comes
        before C(user) and C(password), and is the only way in for users who have a second factor or log in through another system.
    default: ''
    env:
      - name: MUSTER_TOKEN
  user:
    description: User of mode C(http), who needs the role C(automation), where there is no C(token).
    default: ''
    env:
      - name: SERVICE_API_USER
  password:
    description: Password of that user.
    default: ''
    env:
      - name: SERVICE_API_PASSWORD
  validate_certs:
    description: False trusts any certificate.
    type: bool
    default: true
  timeout:
    description: Seconds to wait for an answer.
    type: int
    default: 60
"""

EXAMPLES = r"""
# lab.muster.yml; the token comes from MUSTER_TOKEN, or user and password from SERVICE_API_USER and SERVICE_API_PASSWORD.
plugin: muster_cmdb.muster.muster
mode: http
url: https://muster.example.org
provider: automation
keyed_groups:
  - key: site
    prefix: site
compose:
  ansible_host: ip
cache: true
cache_plugin: ansible.builtin.jsonfile
cache_connection: ~/.cache/muster
"""

import hashlib
import json
import os
import re
import subprocess
from urllib.error import HTTPError
from urllib.parse import quote

from ansible.errors import AnsibleParserError
from ansible.module_utils.urls import open_url
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable
from ansible.utils.unsafe_proxy import wrap_var


# Ansible makes these groups by itself, and means the controller by the others.
RESERVED_GROUPS = ("_meta", "all", "ungrouped", "localhost", "127.0.0.1", "::1")


class InventoryModule(BaseInventoryPlugin, Constructable, Cacheable):
    NAME = "muster"

    def verify_file(self, path):
        name = os.path.basename(path)
        if not super().verify_file(path):
            return False
        return name in ("muster.yml", "muster.yaml") or name.endswith((".muster.yml", ".muster.yaml"))

    def parse(self, inventory, loader, path, cache=True):
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        self._add_hosts(self._document(path, cache))

    def _document(self, path, cache):
        """What is kept, where Ansible is to use that, or else what Muster says now, which is kept then."""
        key = self._cache_key(path)
        keeps = self.get_option("cache")
        if keeps and cache:
            try:
                return self._cache[key]
            except KeyError:
                pass
        read = self._over_http if self.get_option("mode") == "http" else self._by_command
        document = _parsed(read(self.get_option("provider"), self.get_option("host")))
        if keeps:
            self._cache[key] = document
        return document

    def _cache_key(self, path):
        """Of the file and of what decides whose inventory it is."""
        options = [self.get_option(name) for name in ("mode", "provider", "host", "url", "user", "token", "program")]
        digest = hashlib.sha256(json.dumps(options).encode()).hexdigest()
        return "%s_%s" % (self.get_cache_key(path), digest[:16])

    def _by_command(self, provider, host):
        environment = dict(os.environ)
        environment.pop("SERVICE_INVENTORY_HOST", None)
        if host:
            environment["SERVICE_INVENTORY_HOST"] = host
        command = [*self._command(), provider, "--list"]
        try:
            done = subprocess.run(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self.get_option("timeout"),
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise AnsibleParserError("%s did not answer in time; the option timeout sets how long it may take" % command[0])
        except OSError as error:
            raise AnsibleParserError("%s cannot be run (%s); set the option program" % (command[0], error.strerror))
        if done.returncode != 0:
            raise AnsibleParserError("%s failed: %s" % (" ".join(command), _text(done.stderr)))
        return done.stdout

    def _command(self):
        program = self.get_option("program")
        if program:
            return [program, "inventory"]
        script = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "inventory")
        # In the collection that is a folder.
        is_script = os.path.isfile(script) and os.access(script, os.X_OK)
        return [script] if is_script else ["muster", "inventory"]

    def _over_http(self, provider, host):
        base = self.get_option("url").rstrip("/")
        if not base:
            raise AnsibleParserError("mode http needs the option url, or MUSTER_URL")
        address = "%s/api/v1/inventory/automation/%s" % (base, quote(provider, safe=""))
        if host:
            address += "?host=" + quote(host, safe="")
        try:
            answer = open_url(
                address,
                **self._credentials({"Accept": "application/json"}),
                validate_certs=self.get_option("validate_certs"),
                timeout=self.get_option("timeout"),
                follow_redirects="none",
            ).read()
        except HTTPError as error:
            raise AnsibleParserError("%s answered %s: %s" % (base, error.code, _message(error.read())))
        except Exception as error:
            raise AnsibleParserError("%s does not answer: %s" % (base, error))
        return _document_of_host(host, answer) if host else answer

    def _credentials(self, headers):
        """What a request shows, besides these headers."""
        token = self.get_option("token").strip()
        if token:
            if re.search(r"[^\x21-\x7e]", token):
                raise AnsibleParserError("the option token is no token; a token is one word, as \"muster user token create\" prints it")
            # A .netrc would take the place of the header.
            return {"headers": dict(headers, Authorization="Bearer " + token), "use_netrc": False}
        user = self.get_option("user")
        if not user:
            raise AnsibleParserError("mode http needs a user: set MUSTER_TOKEN, or SERVICE_API_USER and SERVICE_API_PASSWORD")
        return {"headers": headers, "url_username": user, "url_password": self.get_option("password"), "force_basic_auth": True}

    def _add_hosts(self, document):
        variables = document.get("_meta", {}).get("hostvars", {})
        for host in document.get("all", {}).get("hosts", []):
            self.inventory.add_host(host)
            for name, value in variables.get(host, {}).items():
                self.inventory.set_variable(host, name, wrap_var(value))
        for group, members in document.items():
            if group in ("_meta", "all"):
                continue
            # Names that Ansible does not like are changed by it, and the changed one counts.
            added = self.inventory.add_group(group)
            for host in members.get("hosts", []):
                self.inventory.add_child(added, host)
        for host in document.get("all", {}).get("hosts", []):
            self._construct(host)

    def _construct(self, host):
        strict = self.get_option("strict")
        self._set_composite_vars(self.get_option("compose"), self._variables(host), host, strict=strict)
        variables = self._variables(host)
        self._add_host_to_composed_groups(self.get_option("groups"), variables, host, strict=strict, fetch_hostvars=False)
        self._add_host_to_keyed_groups(self.get_option("keyed_groups"), variables, host, strict=strict, fetch_hostvars=False)

    def _variables(self, host):
        return self.inventory.get_host(host).get_vars()


def _parsed(answer):
    try:
        document = json.loads(answer)
    except ValueError as error:
        raise AnsibleParserError("the answer is no JSON (%s)" % error)
    if not isinstance(document, dict) or not isinstance(document.get("all"), dict):
        raise AnsibleParserError("the answer is no inventory")
    return document


def _document_of_host(host, answer):
    """The interface answers the variables of one host; its groups stand in one of them."""
    variables = json.loads(answer)
    groups = variables.get("ansible_groups") or []
    if isinstance(groups, str):
        groups = groups.split(",")
    document = {"_meta": {"hostvars": {host: variables}}, "all": {"hosts": [host]}}
    for group in groups:
        name = str(group).strip()
        if name and name != host and name not in RESERVED_GROUPS:
            document[name] = {"hosts": [host]}
    return json.dumps(document)


def _message(body):
    try:
        return json.loads(body)["message"]
    except (ValueError, KeyError, TypeError):
        return re.sub(r"\s+", " ", _text(body))[:200]


def _text(data):
    return data.decode("utf-8", "replace").strip()
