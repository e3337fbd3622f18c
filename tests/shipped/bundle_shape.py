"""What Databricks takes in the resource files of a bundle, as far as lhp writes it: `faults_of` says what does not fit.

A shape is a type, a set of words, a list of one shape, or a dict of keys; `...` among the keys lets others pass.
"""

CLUSTER = {
    "label": str,
    "node_type_id": str,
    "instance_pool_id": str,
    "driver_node_type_id": str,
    "driver_instance_pool_id": str,
    "policy_id": str,
    "autoscale": {"min_workers": int, "max_workers": int, "mode": {"LEGACY", "ENHANCED"}},
}
PERMISSION = {"level": str, "user_name": str, "group_name": str, "service_principal_name": str}
PIPELINE = {
    "name": str,
    "catalog": str,
    "schema": str,
    "serverless": bool,
    "clusters": [CLUSTER],
    "libraries": [{"glob": {"include": str}}],
    "root_path": str,
    "configuration": {...: str},
    "continuous": bool,
    "photon": bool,
    "edition": {"CORE", "PRO", "ADVANCED"},
    "channel": {"CURRENT", "PREVIEW"},
    "notifications": [{"email_recipients": [str], "alerts": [str]}],
    "tags": {...: object},
    "event_log": {"name": str, "schema": str, "catalog": str},
    "environment": {"dependencies": [str], ...: object},
    "permissions": [PERMISSION],
    ...: object,
}
TASK = {
    "task_key": str,
    "depends_on": [{"task_key": str}],
    "existing_cluster_id": str,
    "new_cluster": {...: object},
    "notebook_task": {"notebook_path": str, "source": {"WORKSPACE"}},
    "pipeline_task": {"pipeline_id": str, "full_refresh": bool},
    "job_task": {"job_id": str},
}
HOOKS = {f"on_{occasion}": [{"id": str}] for occasion in ("start", "success", "failure")}
MAILS = {f"on_{occasion}": [str] for occasion in ("start", "success", "failure")}
JOB = {
    "name": str,
    "max_concurrent_runs": int,
    "tasks": [TASK],
    "queue": {"enabled": bool},
    "performance_target": {"STANDARD", "PERFORMANCE_OPTIMIZED"},
    "timeout_seconds": int,
    "tags": {...: str},
    "email_notifications": MAILS,
    "webhook_notifications": HOOKS,
    "permissions": [PERMISSION],
    "schedule": {"quartz_cron_expression": str, "timezone_id": str, "pause_status": {"PAUSED", "UNPAUSED"}},
    ...: object,
}
BARE = [MAILS, HOOKS]  # may be a heading alone (bundle specification, section 5)
FILE = {
    "resources": {"pipelines": {...: PIPELINE}, "jobs": {...: JOB}},
    "targets": {...: {"workspace": {"artifact_path": str}}},
    "sync": {"exclude": [str]},
}


def faults_of(value, shape=FILE, path=""):
    if isinstance(shape, type):
        wrong = not isinstance(value, shape) or (shape is int and isinstance(value, bool))
        return [f"{path}: {value!r} is no {shape.__name__}"] if wrong else []
    if isinstance(shape, set):
        return [] if value in shape else [f"{path}: {value!r} is none of {sorted(shape)}"]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{path}: {value!r} is no list"]
        return [fault for i, item in enumerate(value) for fault in faults_of(item, shape[0], f"{path}[{i}]")]
    if value is None and any(shape is bare for bare in BARE):
        return []
    if not isinstance(value, dict):
        return [f"{path}: {value!r} is no mapping"]
    faults = [f"{path}.{key} is not known" for key in value if key not in shape and ... not in shape]
    for key, one in value.items():
        if key in shape or ... in shape:
            faults += faults_of(one, shape.get(key, shape.get(...)), f"{path}.{key}")
    return faults
