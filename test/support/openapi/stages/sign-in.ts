import type { Client } from "../../client.ts";
import { done, exampleBody, type Json, type Stage } from "./stage.ts";

/** What the challenge in the rows' examples is made of. @source RFC 7636, appendix B */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/** The request of a client that has registered itself, for the platform that is asked. */
export async function aRequest(owner: Client): Promise<Record<string, string>> {
  const { redirect_uri }: Json = exampleBody("decideConsent");
  const json = { client_name: "Desk", redirect_uris: [redirect_uri] };
  const { client_id } = await done(owner.post("/oauth/register", { json }));
  const { resource } = await done(owner.get("/.well-known/oauth-protected-resource"));
  return { client_id, resource };
}

/** Lets a client in. @returns the fields of the request for its first tokens */
async function letIn(user: Client): Promise<Record<string, string>> {
  const asked = await aRequest(user);
  const body = { ...exampleBody("decideConsent"), ...asked, approve: true, granted: ["agents:run"] };
  const { redirect_to } = await done(user.post("/oauth/consent", { json: body }));
  const code = new URL(redirect_to).searchParams.get("code") ?? "";
  return { ...asked, code, code_verifier: VERIFIER };
}

export const aCode: Stage = async (_owner, admin) => ({ about: {}, body: await letIn(admin) });

export const aConnectedApp: Stage = async (owner) => {
  await letIn(owner);
  const { data } = await done(owner.get("/oauth/apps"));
  return { about: { app_id: data[0].id } };
};
