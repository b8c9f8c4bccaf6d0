/** A folder of the project, or a file, and what it may import. */
export type ImportRule = {
  /** What it may import beside itself: folders end with a slash, files do not. */
  readonly from: readonly string[];
  /** What of these it may not import all the same. */
  readonly butNot?: readonly string[];
  /** Packages; a name that ends with a slash stands for everything under it. */
  readonly packages: readonly string[];
};

/**
 * Where everything may lean on anything: it serves the product and no part of the product imports it. Only `registry/` belongs
 * to the owner of the clone, who may replace all of it.
 */
const workshop: ImportRule = { from: [""], butNot: ["registry/"], packages: [""] };

/** What declares agents. It may use any package. */
const declaring: ImportRule = { from: ["shared/engine/define/index.ts"], packages: [""] };

/**
 * Which folder may import what. Data meets them in this order, and imports point against it:
 * `bin → lib → shared/routes`, `functions → shared`, `engine → stores → domain → schemas`. Within the engine: `engine-order.ts`.
 */
export const allowedImports: Readonly<Record<string, ImportRule>> = {
  // Where the bundles are, and what the registry in them declares.
  "bin/": {
    from: ["lib/", "build/index.ts", "build/bundles/index.ts", "shared/runtime/registry-manifest.ts"],
    packages: ["aws-cdk-lib", "cdk-nag"],
  },
  "lib/": {
    from: [
      // What a registry is given is the card that clients get.
      "shared/a2a/agent-card.ts",
      "shared/routes/",
      "shared/runtime/body-limit.ts",
      "shared/runtime/deployment-claim.ts",
      "shared/runtime/edge-secret.ts",
      "shared/runtime/functions/function-versions.ts",
      "shared/runtime/metrics/operational-metrics.ts",
      "shared/runtime/registry-manifest.ts",
      "shared/settings/",
      "shared/schemas/values/",
      "shared/stores/tables.ts",
      // The mappings are checked against the routes. It imports routes and nothing that acts.
      "shared/auth/scopes/scope-mappings.ts",
      // The issuers' keys are read as the authorizer will read them.
      "shared/auth/identify/issuer-keys.ts",
    ],
    packages: [
      "aws-cdk-lib",
      "aws-cdk-lib/",
      "constructs",
      "valibot",
      "node:crypto",
      "node:fs",
      "node:os",
      "node:path",
    ],
  },
  "functions/a2a/": {
    from: ["shared/"],
    packages: ["#registry", "@a2a-js/sdk", "@a2a-js/sdk/", "valibot", "node:crypto"],
  },
  // The package has the protocol's types and names.
  "functions/runs/agui/": {
    from: ["shared/"],
    packages: ["@ag-ui/core", "valibot"],
  },
  "functions/runs/ui-chat/": {
    from: ["shared/"],
    packages: ["valibot"],
  },
  "functions/runs/openai/": {
    from: ["shared/"],
    packages: ["valibot", "node:crypto"],
  },
  "functions/runs/mcp/": {
    from: ["shared/"],
    packages: ["@modelcontextprotocol/server", "@valibot/to-json-schema", "valibot", "node:crypto"],
  },
  // The page's files are in its own bundle.
  "functions/console/": {
    from: [
      "shared/settings/",
      "shared/runtime/",
      "shared/routes/console.ts",
      "shared/auth/identify/discovery.ts",
    ],
    packages: ["aws-lambda", "valibot", "node:crypto", "node:fs", "node:path"],
  },
  "functions/service-accounts/": {
    from: ["shared/"],
    packages: ["oauth4webapi", "valibot", "node:crypto"],
  },
  // Each is deployed by itself and imports nothing of another: what two of them do is in `shared/`.
  "functions/": {
    from: ["shared/"],
    packages: ["#registry", "aws-lambda", "valibot", "node:crypto"],
  },
  // What the protocol is made of; nothing here reads a store.
  "shared/a2a/": {
    from: [
      "shared/pauses/",
      "shared/domain/",
      "shared/schemas/",
      "shared/stores/runs/",
      "shared/events/",
      "shared/routes/",
      "shared/errors.ts",
    ],
    packages: ["@a2a-js/sdk", "@a2a-js/sdk/", "jose", "valibot", "node:crypto"],
  },
  // What a paused run asks, for every wire on which a person answers.
  "shared/pauses/": {
    from: ["shared/domain/", "shared/schemas/", "shared/stores/runs/"],
    packages: [],
  },
  // What the events of a run are in AG-UI; nothing here reads a store.
  "shared/agui/": {
    from: ["shared/pauses/", "shared/domain/", "shared/schemas/", "shared/stores/runs/", "shared/errors.ts"],
    packages: ["@ag-ui/core"],
  },
  // The user's own code.
  "registry/": declaring,
  "shared/errors.ts": { from: [], packages: [] },
  "shared/openapi/": {
    from: ["shared/routes/", "shared/schemas/", "shared/errors.ts"],
    packages: ["valibot", "@valibot/to-json-schema"],
  },
  "shared/schemas/": { from: [], packages: ["valibot"] },
  // Of the rules only the grammar of cron: what a field may hold is part of its row.
  "shared/routes/": { from: ["shared/schemas/", "shared/domain/cron/"], packages: ["valibot"] },
  "shared/domain/": {
    from: ["shared/schemas/", "shared/errors.ts"],
    // A digest of a value is a pure function.
    packages: ["valibot", "node:crypto"],
  },
  // What an operator may set. Templates, the package and functions read it, so it imports nothing that acts.
  "shared/settings/": {
    from: [
      "shared/routes/protocols/a2a-prefix.ts",
      "shared/runtime/body-limit.ts",
      "shared/runtime/functions/function-versions.ts",
      "shared/schemas/",
    ],
    packages: ["valibot", "node:fs"],
  },
  "shared/runtime/": {
    from: [
      "shared/settings/",
      // For the version alone.
      "package.json",
    ],
    packages: [
      "valibot",
      "uuid",
      "node:",
      "@aws-lambda-powertools/",
      "@aws-sdk/client-cloudwatch-logs",
      "@aws-sdk/client-lambda",
      "@aws-sdk/client-secrets-manager",
    ],
  },
  "shared/auth/": {
    from: ["shared/routes/", "shared/schemas/", "shared/settings/", "shared/runtime/", "shared/errors.ts"],
    packages: ["aws-jwt-verify", "aws-jwt-verify/", "valibot", "node:"],
  },
  "shared/http/": {
    from: [
      "shared/auth/",
      "shared/routes/",
      "shared/schemas/",
      "shared/settings/",
      "shared/runtime/",
      "shared/errors.ts",
    ],
    packages: ["@middy/", "aws-lambda", "busboy", "valibot", "node:"],
  },
  // How a write is spelled and sent; it knows no record.
  "shared/data/": {
    from: ["shared/settings/", "shared/runtime/"],
    packages: ["@aws-sdk/client-dynamodb", "@aws-sdk/lib-dynamodb", "@aws-sdk/util-dynamodb"],
  },
  // Stores say what their leased work is; the mechanism writes through the connection and knows no store.
  "shared/work/": {
    from: ["shared/settings/", "shared/data/", "shared/stores/db.ts", "shared/runtime/"],
    packages: [],
  },
  "shared/stores/": {
    from: [
      "shared/data/",
      "shared/work/",
      "shared/domain/",
      "shared/schemas/",
      "shared/settings/",
      "shared/runtime/",
      "shared/errors.ts",
    ],
    packages: [
      "@aws-sdk/client-dynamodb",
      "@aws-sdk/client-s3",
      "@aws-sdk/client-s3vectors",
      "@aws-sdk/s3-request-presigner",
      "@aws-sdk/lib-dynamodb",
      "@aws-sdk/util-dynamodb",
      "valibot",
      "node:crypto",
      "node:util",
      "node:zlib",
    ],
  },
  "shared/migrations/": {
    from: [
      "shared/data/",
      "shared/stores/",
      "shared/queue/",
      "shared/domain/",
      "shared/schemas/",
      "shared/settings/",
      "shared/runtime/",
    ],
    packages: ["valibot", "node:crypto"],
  },
  "shared/queue/": {
    from: [
      "shared/work/",
      "shared/domain/",
      "shared/schemas/",
      "shared/settings/",
      "shared/runtime/",
      "shared/errors.ts",
    ],
    packages: ["@aws-sdk/client-sqs", "valibot", "node:crypto"],
  },
  // Whether the owner of a schedule may still call is a question of access.
  "shared/scheduler/": {
    from: [
      "shared/auth/",
      "shared/stores/",
      "shared/domain/",
      "shared/schemas/",
      "shared/settings/",
      "shared/runtime/",
      "shared/errors.ts",
    ],
    packages: ["@aws-sdk/client-scheduler", "valibot"],
  },
  "shared/events/": {
    from: [
      "shared/stores/",
      "shared/domain/",
      "shared/schemas/",
      "shared/settings/",
      "shared/runtime/",
      "shared/errors.ts",
    ],
    packages: ["valibot"],
  },
  // Requests to addresses that users name, and to services outside of the platform.
  "shared/outbound/": {
    from: ["shared/schemas/", "shared/settings/", "shared/runtime/", "shared/errors.ts"],
    packages: ["@aws-sdk/client-eventbridge", "@aws-sdk/client-sfn", "valibot", "node:"],
  },
  "shared/knowledge/": {
    from: [
      "shared/outbound/",
      "shared/work/",
      "shared/stores/",
      "shared/queue/",
      "shared/domain/",
      "shared/schemas/",
      "shared/settings/",
      "shared/runtime/",
      "shared/errors.ts",
    ],
    packages: [
      "@ai-sdk/",
      "@aws-sdk/client-s3",
      "@orama/stemmers/",
      "chardet",
      "csv-parse",
      "htmlparser2",
      "mammoth",
      "postal-mime",
      "robots-parser",
      "unpdf",
      "uuid",
      "valibot",
      "node:",
    ],
  },
  "shared/chat/": {
    from: ["shared/schemas/", "shared/settings/", "shared/runtime/", "shared/errors.ts"],
    packages: ["marked", "valibot", "node:crypto"],
  },
  "shared/engine/": {
    from: [
      "shared/knowledge/",
      "shared/outbound/",
      "shared/data/",
      "shared/stores/",
      "shared/queue/",
      "shared/events/",
      "shared/domain/",
      "shared/schemas/",
      "shared/settings/",
      "shared/runtime/",
      "shared/errors.ts",
    ],
    packages: [
      "@a2a-js/sdk",
      "@a2a-js/sdk/",
      "@ai-sdk/",
      "@modelcontextprotocol/client",
      "@modelcontextprotocol/client/",
      "@cfworker/json-schema",
      "@standard-schema/spec",
      "@valibot/to-json-schema",
      "ajv",
      "ajv/",
      "ajv-formats",
      "gpt-tokenizer/",
      "valibot",
      "yaml",
      "node:async_hooks",
      "node:crypto",
      "node:vm",
    ],
  },
  // What may be done with a run, by whichever protocol asks for it and whichever process executes it.
  "shared/runs/": {
    from: [
      "shared/work/",
      "shared/data/",
      "shared/http/",
      "shared/auth/",
      "shared/routes/",
      "shared/engine/",
      "shared/outbound/",
      "shared/stores/",
      "shared/queue/",
      "shared/events/",
      "shared/domain/",
      "shared/schemas/",
      "shared/runtime/",
      "shared/errors.ts",
    ],
    packages: ["aws-lambda", "valibot", "node:crypto"],
  },
  // What people say about runs, by whichever way they say it.
  "shared/feedback/": {
    from: ["shared/tracing/", "shared/stores/", "shared/domain/", "shared/schemas/", "shared/errors.ts"],
    packages: [],
  },
  // Components, as far as their callers may see them.
  "shared/runnables/": {
    from: [
      "shared/auth/",
      "shared/engine/",
      "shared/stores/",
      "shared/domain/",
      "shared/schemas/",
      "shared/errors.ts",
    ],
    packages: ["valibot"],
  },
  "shared/evals/": {
    from: [
      "shared/engine/",
      "shared/domain/",
      "shared/work/",
      "shared/stores/",
      "shared/queue/",
      "shared/schemas/",
      "shared/settings/",
      "shared/runtime/",
      "shared/errors.ts",
    ],
    packages: ["@ai-sdk/", "csv-parse/sync", "valibot", "node:crypto", "node:net", "node:vm"],
  },
  "shared/tracing/": {
    from: [
      "shared/engine/",
      "shared/stores/",
      "shared/domain/",
      "shared/schemas/",
      "shared/settings/",
      "shared/runtime/",
    ],
    packages: ["@opentelemetry/", "valibot", "node:crypto"],
  },
  // What is deployed is made here; whoever starts or deploys it knows the faces.
  "build/": {
    from: [
      // Where the code of a function is when a stage is only removed.
      "lib/functions/function-code.ts",
      // The environment of a machine: locks, whole files, folders, variables of `npm start`.
      "package/name.ts",
      "local/machine/",
      "local/cache-folders.ts",
      "local/progress-line.ts",
      "local/template/app-context.ts",
      "shared/engine/define/",
      "shared/engine/tool/note-declaration.ts",
      // Skills are read and checked when they are bundled.
      "shared/engine/skill/skill-of-files.ts",
      "shared/engine/skill/skill.ts",
      "shared/routes/console.ts",
      "shared/settings/environments.ts",
      "shared/runtime/",
    ],
    packages: ["esbuild", "valibot", "node:"],
  },
  "local/": {
    from: [
      "bin/agent-platform.ts",
      "lib/stacks/whole-template.ts",
      "build/index.ts",
      "build/bundles/index.ts",
      "shared/",
      "package.json",
    ],
    packages: [""],
  },
  // The page for operators, which runs in browsers.
  // The times of a schedule are computed by the same code that keeps them.
  "console/": {
    // What a paused run waits for is read by one rule, here and there.
    from: ["client/", "shared/domain/cron/", "shared/domain/runs/open-requirements.ts"],
    packages: [
      "react",
      "react-dom",
      "react-dom/",
      // Each part by its own path: through the one big module all of them are in the page's first load.
      "react-aria-components/",
      "@tanstack/",
      "wouter",
      "wouter/",
      "uplot",
      "uplot/",
      "@dagrejs/dagre",
      "highlight.js",
      "highlight.js/",
      "oauth4webapi",
      "marked",
      "dompurify",
      "cronstrue",
      "diff",
      "lucide-react",
    ],
  },
  // What a project starts with; code of a user.
  "package/template/": workshop,
  // Makes such a project, in whatever Node there is, without a package.
  "package/create/": { from: ["package/name.ts", "local/machine/manager-command.ts"], packages: ["node:"] },
  // The package's entries and its command line.
  "package/": {
    from: [
      "bin/",
      "client/",
      "lib/",
      "local/",
      "build/index.ts",
      "build/bundles/index.ts",
      "build/removal/index.ts",
      "shared/",
      "package.json",
    ],
    packages: [
      "@agentclientprotocol/sdk",
      "@aws-sdk/client-dynamodb",
      "@aws-sdk/client-lambda",
      "@aws-sdk/client-s3",
      "@aws-sdk/util-dynamodb",
      "aws-cdk-lib",
      "aws-cdk-lib/",
      "aws4fetch",
      "cdk-nag",
      "commander",
      "constructs",
      "valibot",
      "node:",
    ],
  },
  // It is taken elsewhere as it is.
  "client/": { from: [], packages: [] },
  "react/": { from: ["client/"], packages: ["react"] },
  "scripts/": workshop,
  "bench/": workshop,
  // Is about what `registry/` declares, and goes when that is replaced.
  "test/registry/": { from: [""], packages: [""] },
  "test/support/registry/": declaring,
  "test/": workshop,
};
