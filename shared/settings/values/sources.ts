import * as v from "valibot";
import { SecretName } from "../forms.ts";

const text = v.pipe(v.string(), v.nonEmpty());

const common = {
  id: text,
  name: v.optional(v.string()),
  /**
   * Nothing outside of it is listed or read; what is listed when a request names no prefix. It should end with a slash:
   * `en` also covers `english/`.
   */
  prefix: v.optional(
    v.pipe(
      v.string(),
      // The roles of functions are limited to it by a pattern, in which these have a meaning.
      v.regex(/^[^*?$\\]*$/, "must not contain *, ?, $ or a backslash"),
      v.check(
        (prefix) => !prefix.split("/").some((part) => part === "." || part === ".."),
        "must not have parts that are . or ..",
      ),
    ),
  ),
};

const remote = {
  ...common,
  /** Address of the service's API; the service's own when absent. */
  api_url: v.optional(v.pipe(v.string(), v.url())),
  /** Name of the Secrets Manager secret that gives access; what is public needs none. */
  secret: v.optional(SecretName),
};

/** The secret is the key of a service account, as Google gives it out: JSON. */
const GcsSetting = v.strictObject({ type: v.literal("gcs"), ...remote, bucket: text });

const AzureBlobSetting = v.strictObject({
  type: v.literal("azureblob"),
  ...remote,
  account: text,
  container: text,
  /** What the secret is: a key of the account, which may do everything, or a shared access signature. */
  secret_kind: v.optional(v.picklist(["account_key", "sas"]), "account_key"),
});

const SharePointSetting = v.strictObject({
  type: v.literal("sharepoint"),
  ...remote,
  /** Host and path: `contoso.sharepoint.com/sites/team`. */
  site: v.pipe(text, v.regex(/^[\w.:-]+(\/[^/?#]+)*$/, "must be a host and a path")),
  /** Name of a library of documents; the site's own when absent. */
  library: v.optional(text),
  /** The application that may read the site; the secret is its client secret. */
  tenant: text,
  client_id: text,
  secret: SecretName,
  /** Address of the identity platform; Microsoft's own when absent. */
  login_url: v.optional(v.pipe(v.string(), v.url())),
});

/** The secret is a token, or the private key of the app that is named: PEM. */
const GitHubSetting = v.strictObject({
  type: v.literal("github"),
  ...remote,
  /** `owner/repo`; a request may name another one where there is no secret. */
  repo: v.optional(v.string()),
  branch: v.optional(v.string()),
  app_id: v.optional(text),
  installation_id: v.optional(text),
});

/**
 * A remote place that content can be pulled from. The deployment configures them, because the roles of its functions
 * follow from them.
 *
 * @source docs/interface/knowledge.md 6.4
 */
export const SourceSetting = v.variant("type", [
  v.strictObject({
    type: v.literal("s3"),
    ...common,
    bucket: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")),
  }),
  GcsSetting,
  AzureBlobSetting,
  SharePointSetting,
  GitHubSetting,
]);
export type SourceSetting = v.InferOutput<typeof SourceSetting>;
export type SettingOf<T extends SourceSetting["type"]> = Extract<SourceSetting, { type: T }>;

/** What is wrong with a setting beyond its members; undefined where nothing is. */
export function sourceProblem(source: SourceSetting): string | undefined {
  if (source.type !== "github") return undefined;
  const { repo, secret, app_id, installation_id } = source;
  const isApp = app_id !== undefined || installation_id !== undefined;
  // A token may read more repositories than intended: it is used only for the one that the deployment names.
  if (secret !== undefined && repo === undefined)
    return `${source.id}: a source with a secret needs its repo`;
  if (isApp && (secret === undefined || app_id === undefined || installation_id === undefined)) {
    return `${source.id}: an app needs app_id, installation_id and a secret`;
  }
  return undefined;
}
