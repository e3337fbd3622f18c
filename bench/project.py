"""Makes a project of N flowgroups, of its own and the same for the same seed: a third through templates, the rest spelled out."""
import random
from pathlib import Path

DOMAINS = "orders customers products stock prices shipments returns invoices payments stores".split()


def plain(rng, pipeline, name, domain):
    columns = ", ".join(f"{domain}_{k}" for k in range(rng.randint(3, 9)))
    return f"""# {name}: keeps {domain} of region {rng.randint(1, 99)}
pipeline: {pipeline}
flowgroup: {name}
presets: [bronze]

actions:
  - name: load_{name}
    type: load
    operational_metadata: ["_ingestion_timestamp"]
    source:
      type: delta
      catalog: "${{catalog}}"
      schema: "${{raw_schema}}"
      table: {name}_raw
    target: v_{name}
    description: "Load {domain} for {name}"

  - name: clean_{name}
    type: transform
    transform_type: sql
    source: v_{name}
    target: v_{name}_clean
    sql: |
      SELECT {columns}
      FROM stream(v_{name})
      WHERE region = '${{region}}' AND amount > {rng.randint(0, 1000)}

  - name: write_{name}
    type: write
    source: v_{name}_clean
    write_target:
      type: streaming_table
      catalog: "${{catalog}}"
      schema: "${{bronze_schema}}"
      table: {name}
      table_properties:
        quality: bronze
        owner: "${{owner_{rng.randint(0, 19)}}}"
"""


def through_template(rng, pipeline, name, domain):
    return f"""pipeline: {pipeline}
flowgroup: {name}
use_template: ingest
template_parameters:
  name: {name}
  path: "/Volumes/landing/{domain}/{name}"
  columns: [{", ".join(f"{domain}_{k}" for k in range(4))}]
  strict: {str(rng.random() < 0.5).lower()}
"""


def with_file(rng, pipeline, name, domain):
    return f"""pipeline: {pipeline}
flowgroup: {name}

actions:
  - name: load_{name}
    type: load
    source: {{type: delta, catalog: "${{catalog}}", schema: "${{raw_schema}}", table: {name}_raw}}
    target: v_{name}
  - name: sum_{name}
    type: transform
    transform_type: sql
    source: v_{name}
    target: v_{name}_sum
    sql_path: sql/{domain}.sql
  - name: write_{name}
    type: write
    source: v_{name}_sum
    write_target: {{type: materialized_view, catalog: "${{catalog}}", schema: "${{gold_schema}}", table: {name}}}
"""


TEMPLATE = """name: ingest
parameters:
  - {name: name, required: true}
  - {name: path, required: true}
  - {name: columns, default: []}
  - {name: strict, default: false}
presets: [bronze]
actions:
  - name: "load_{{ name }}"
    type: load
    source:
      type: cloudfiles
      path: "{{ path }}"
      format: csv
      options: {header: "true", cloudFiles.inferColumnTypes: "{{ strict }}"}
    target: "v_{{ name }}"
  - name: "pick_{{ name }}"
    type: transform
    transform_type: sql
    source: "v_{{ name }}"
    target: "v_{{ name }}_picked"
    sql: "SELECT {{ columns | join(', ') }} FROM stream(v_{{ name }}) WHERE region = '${region}'"
  - name: "write_{{ name }}"
    type: write
    source: "v_{{ name }}_picked"
    write_target: {type: streaming_table, catalog: "${catalog}", schema: "${bronze_schema}", table: "{{ name }}"}
"""

PRESET = """name: bronze
defaults:
  load_actions:
    cloudfiles: {options: {cloudFiles.schemaEvolutionMode: addNewColumns}}
  write_actions:
    streaming_table: {table_properties: {delta.autoOptimize.optimizeWrite: "true"}}
"""


def write(root, path, text):
    target = Path(root, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


def make(root, n, seed=1):
    rng = random.Random(seed)
    kinds = [plain, through_template, with_file]
    for i in range(n):
        pipeline = f"p{i // 60:03d}"
        domain = DOMAINS[i % len(DOMAINS)]
        name = f"{domain}_{i:05d}"
        write(root, f"pipelines/{pipeline}/{name}.yaml", kinds[i % 3](rng, pipeline, name, domain))
    for domain in DOMAINS:
        write(root, f"sql/{domain}.sql", f"SELECT region, sum(amount) AS amount\nFROM ${{catalog}}.raw.{domain}\nGROUP BY region\n")
    write(root, "templates/ingest.yaml", TEMPLATE)
    write(root, "presets/bronze.yaml", PRESET)
    write(root, "lhp.yaml", "name: bench\nversion: \"1.0\"\n")
    tokens = "".join(f"  owner_{k}: team_{k}\n" for k in range(20))
    for env in ("dev", "prod"):
        write(root, f"substitutions/{env}.yaml",
              f"{env}:\n  catalog: {env}_catalog\n  raw_schema: raw\n  bronze_schema: bronze\n  gold_schema: gold\n  region: north\n{tokens}")


if __name__ == "__main__":
    import sys
    make(sys.argv[1], int(sys.argv[2]))
