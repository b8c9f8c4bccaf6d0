"""Resources of AWS in the imitation "moto": a request is a line of JSON on the input, its answer a line on the output.

{"do": "create" | "update" | "delete", "id", "type", "name", "properties"} answers with {"known", "ref"} or {"refused"};
{"do": "attribute", "id", "name"} answers with {"value"}; {"do": "versions", "function"} with {"value"}.
The services themselves listen at the address of the first line.
"""

import json
import logging
import os
import sys

os.environ["VALIDATE_LAMBDA_S3"] = "false"
# Answers alone go to the output: what the imitation and its packages print goes to the errors.
answers, sys.stdout = sys.stdout, sys.stderr

import boto3
from moto.cloudformation.parsing import get_model_map
from moto.core.config import default_user_config
from moto.server import ThreadedMotoServer

# A function that gets a message is not run in a container.
default_user_config["lambda"]["use_docker"] = False

ACCOUNT, REGION = "123456789012", "eu-west-1"
logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
address = f"http://{host}:{port}"
KEYS = {"aws_access_key_id": "LOCAL", "aws_secret_access_key": "local"}


def client(service):
    return boto3.client(service, region_name=REGION, endpoint_url=address, **KEYS)


class ByApi:
    """A resource that the imitation knows by its service's API alone."""

    def __init__(self, ref, **attributes):
        self.physical_resource_id = ref
        self.attributes = attributes

    def get_cfn_attribute(self, name):
        return self.attributes.get(name)


def table(name, properties):
    taken = ("KeySchema", "AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes")
    given = {key: properties[key] for key in taken if key in properties}
    made = client("dynamodb").create_table(TableName=name, **given)["TableDescription"]
    return ByApi(name, Arn=made["TableArn"])


def alias(_, properties):
    made = client("lambda").create_alias(**properties)
    return ByApi(made["AliasArn"], AliasArn=made["AliasArn"])


def secret(_, properties):
    made = client("secretsmanager").create_secret(
        Name=properties["Name"], SecretString=json.dumps({"current": "made-up"})
    )
    return ByApi(made["ARN"], Id=made["ARN"])


def version(_, properties):
    """CloudFormation refuses a version that is there already."""
    functions = client("lambda")
    name = properties["FunctionName"]
    before = versions(name)
    made = functions.publish_version(FunctionName=name)["Version"]
    if made in before:
        raise ValueError(f"A version for this Lambda function exists ( {made} ). Modify the function to create a new version.")
    return ByApi(f"{name}:{made}", Version=made)


def versions(name):
    found = client("lambda").list_versions_by_function(FunctionName=name)["Versions"]
    return [one["Version"] for one in found if one["Version"] != "$LATEST"]


BY_API = {
    "AWS::DynamoDB::GlobalTable": table,
    "AWS::Lambda::Alias": alias,
    "AWS::Lambda::Version": version,
    "AWS::SecretsManager::Secret": secret,
}
DELETIONS = {
    "AWS::DynamoDB::GlobalTable": lambda one, _: client("dynamodb").delete_table(TableName=one.physical_resource_id),
    "AWS::Lambda::Alias": lambda _, given: client("lambda").delete_alias(
        FunctionName=given["FunctionName"], Name=given["Name"]
    ),
    "AWS::SecretsManager::Secret": lambda one, _: client("secretsmanager").delete_secret(
        SecretId=one.physical_resource_id, ForceDeleteWithoutRecovery=True
    ),
}
models = get_model_map()
held = {}


def can(model, action):
    method = getattr(model, f"{action}_from_cloudformation_json", None)
    return method is not None and not hasattr(method, "__isabstractmethod__")


def create(kind, name, properties, logical):
    if kind in BY_API:
        return BY_API[kind](name, properties)
    return models[kind].create_from_cloudformation_json(
        name, {"Type": kind, "Properties": properties}, ACCOUNT, REGION,
        LogicalId=logical, StackId="rehearsal", ResourceType=kind,
    )


def update(kind, name, properties, logical):
    if kind == "AWS::Lambda::Alias":
        client("lambda").update_alias(
            FunctionName=properties["FunctionName"], Name=properties["Name"],
            FunctionVersion=properties["FunctionVersion"],
        )
    elif kind not in BY_API and can(models[kind], "update"):
        changed = models[kind].update_from_cloudformation_json(
            held[logical], name, {"Type": kind, "Properties": properties}, ACCOUNT, REGION
        )
        return changed or held[logical]
    return held[logical]


def delete(kind, properties, logical):
    one = held.pop(logical)
    if kind in DELETIONS:
        DELETIONS[kind](one, properties)
    elif kind not in BY_API and can(models[kind], "delete"):
        models[kind].delete_from_cloudformation_json(
            getattr(one, "physical_resource_id", logical), {"Type": kind, "Properties": properties}, ACCOUNT, REGION
        )


def answer(asked):
    do, logical = asked["do"], asked.get("id")
    if do == "versions":
        return {"value": versions(asked["function"])}
    if do == "attribute":
        return {"value": held[logical].get_cfn_attribute(asked["name"]) if logical in held else None}
    kind = asked["type"]
    if kind not in BY_API and kind not in models:
        return {"known": False}
    if do == "delete":
        delete(kind, asked["properties"], logical)
        return {"known": True}
    act = create if do == "create" else update
    held[logical] = act(kind, asked["name"], asked["properties"], logical)
    return {"known": True, "ref": getattr(held[logical], "physical_resource_id", asked["name"])}


print(json.dumps({"address": address, "moto": __import__("moto").__version__}), file=answers, flush=True)
for line in sys.stdin:
    try:
        print(json.dumps(answer(json.loads(line)), default=str), file=answers, flush=True)
    except Exception as error:  # whatever the imitation says is for the report
        print(json.dumps({"refused": f"{type(error).__name__}: {error}"}), file=answers, flush=True)
server.stop()
