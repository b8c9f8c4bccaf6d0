import { useQuery } from "@tanstack/react-query";

/** What this deployment's console is called, and how it is signed in to; served beside the page. */
export type ConsoleSettings = {
  readonly os_id: string;
  readonly stage: string;
  /** What the deployment is called; absent where nothing is configured. */
  readonly name?: string;
  /** Of the frame, so that deployments are distinguished. */
  readonly colour?: "green" | "blue" | "yellow" | "red";
  readonly sign_in: SignInSettings | null;
  /** Why signing in with the identity provider is not possible now. */
  readonly sign_in_problem?: string;
  /** Whether `npm start` has printed a link that signs in. */
  readonly link: boolean;
};

export type SignInSettings = {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly end_session_endpoint?: string;
  readonly client_id: string;
  readonly scope: string;
};

/** @throws Error when the settings cannot be read */
export async function readSettings(): Promise<ConsoleSettings> {
  const response = await fetch("/console/settings.json");
  if (!response.ok) throw new Error(`The console's settings cannot be read (${response.status}).`);
  return response.json() as Promise<ConsoleSettings>;
}

/** The deployment that the reader looks at. The page waits for nothing of it. */
export function useDeployment(): {
  readonly name: string;
  readonly colour: ConsoleSettings["colour"] | undefined;
} {
  const { data } = useQuery({
    queryKey: ["console-settings"],
    queryFn: readSettings,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { name: data?.name ?? "agent-platform", colour: data?.colour };
}
