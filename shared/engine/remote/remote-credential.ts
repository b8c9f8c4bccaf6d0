import type { AgentCard, SecurityScheme } from "@a2a-js/sdk";

type Header = { readonly name: string; readonly value: string };

/** Before a card is known, and where it names no scheme. */
export const bearer = (secret: string): Header => ({ name: "authorization", value: `Bearer ${secret}` });

/**
 * The header by which a card wants its credential: that of the first requirement which one header can fulfil.
 *
 * @param secret  the bearer token, the API key, or what follows the name of another HTTP scheme
 */
export function credentialHeader(
  { securitySchemes, securityRequirements }: Pick<AgentCard, "securitySchemes" | "securityRequirements">,
  secret: string,
): Header {
  const required = securityRequirements
    .map(({ schemes }) => Object.keys(schemes))
    .filter((names) => names.length === 1)
    .flat();
  const names = required.length > 0 ? required : Object.keys(securitySchemes);
  const headers = names.flatMap((name) => headerOf(securitySchemes[name], secret));
  return headers[0] ?? bearer(secret);
}

function headerOf(declared: SecurityScheme | undefined, secret: string): Header[] {
  switch (declared?.scheme?.$case) {
    case "apiKeySecurityScheme": {
      const { location, name } = declared.scheme.value;
      return location === "header" ? [{ name, value: secret }] : [];
    }
    case "httpAuthSecurityScheme": {
      const { scheme } = declared.scheme.value;
      return /^bearer$/i.test(scheme)
        ? [bearer(secret)]
        : [{ name: "authorization", value: `${scheme} ${secret}` }];
    }
    case "oauth2SecurityScheme":
    case "openIdConnectSecurityScheme":
      return [bearer(secret)];
    default:
      return [];
  }
}
