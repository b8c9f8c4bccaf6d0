import * as v from "valibot";
import type { Resource } from "./stack.ts";

const KeySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.string() }));
const Projection = v.object({
  ProjectionType: v.string(),
  NonKeyAttributes: v.optional(v.array(v.string())),
});
const Index = v.object({ IndexName: v.string(), KeySchema, Projection });
const Table = v.object({
  KeySchema,
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.string() })),
  GlobalSecondaryIndexes: v.optional(v.array(Index)),
  LocalSecondaryIndexes: v.optional(v.array(Index)),
  TimeToLiveSpecification: v.optional(
    v.object({ AttributeName: v.optional(v.string()), Enabled: v.optional(v.boolean()) }),
  ),
});

export type TableModel = { readonly name: string } & v.InferOutput<typeof Table>;

/** Every table of the template, in the format of CreateTable. */
export function tableModels(resources: readonly Resource[]): TableModel[] {
  return resources
    .filter(({ type }) => type === "AWS::DynamoDB::Table" || type === "AWS::DynamoDB::GlobalTable")
    .map((resource) => ({ name: resource.name, ...v.parse(Table, resource.properties) }));
}
