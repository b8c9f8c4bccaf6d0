import type { TracerProvider } from "@opentelemetry/sdk-trace";
import manifest from "../../package.json" with { type: "json" };

export type Resource = NonNullable<NonNullable<ConstructorParameters<typeof TracerProvider>[0]>["resource"]>;

/**
 * Who has recorded spans: the instance by its name on the wire, its stage, and the version of the platform.
 *
 * @source OpenTelemetry semantic conventions 1.45, "Service" and "Deployment"
 */
export function resourceOf({ OS_ID, STAGE }: { readonly OS_ID: string; readonly STAGE: string }): Resource {
  return resource({
    "service.name": OS_ID,
    "service.version": manifest.version,
    "deployment.environment.name": STAGE,
  });
}

const resource = (attributes: Resource["attributes"]): Resource => ({
  attributes,
  merge: (other) => (other ? resource({ ...attributes, ...other.attributes }) : resource(attributes)),
  getRawAttributes: () => Object.entries(attributes),
});
