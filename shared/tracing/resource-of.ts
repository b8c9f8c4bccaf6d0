import manifest from "../../package.json" with { type: "json" };

/**
 * Who has recorded spans: the instance by its name on the wire, its stage, and the version of the platform.
 *
 * @source OpenTelemetry semantic conventions 1.45, "Service" and "Deployment"
 */
export const resourceOf = ({ OS_ID, STAGE }: { readonly OS_ID: string; readonly STAGE: string }) => ({
  "service.name": OS_ID,
  "service.version": manifest.version,
  "deployment.environment.name": STAGE,
});
