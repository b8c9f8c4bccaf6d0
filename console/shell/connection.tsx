import { WifiOff } from "lucide-react";
import { useState } from "react";
import { type Connection, useConnection } from "../api/connection.ts";
import { Empty, Skeleton } from "../parts/state.tsx";

const bannerText: Readonly<Record<Exclude<Connection, "fine">, string>> = {
  offline: "This device is offline. What you see may be old; it goes on when the network is back.",
  unreachable: "The platform cannot be reached. What you see may be old; it is tried again.",
};

/** Says above every screen that nothing is reached; gone when something is. */
export function ConnectionBanner() {
  const connection = useConnection();
  if (connection === "fine") return null;
  return (
    <div className="shell-banner" role="status">
      <WifiOff size={15} aria-hidden />
      {bannerText[connection]}
    </div>
  );
}

/** Stands for a screen that is being loaded. While the platform is away it says so, and that it goes on by itself. */
export function Loading({ lines }: { readonly lines: number }) {
  const connection = useConnection();
  // It stands until the screen is there: between two tries it would flicker.
  const [lost, setLost] = useState<Connection>("fine");
  if (connection !== "fine" && connection !== lost) setLost(connection);
  if (lost === "fine") return lines === 0 ? null : <Waiting lines={lines} />;
  return (
    <div className="page">
      <h1 className="hidden-visually">Waiting for the platform</h1>
      <Empty
        title={lost === "offline" ? "This device is offline" : "The platform cannot be reached"}
        icon={<WifiOff size={28} aria-hidden />}
      >
        <p>It is tried again every two seconds; this screen opens by itself.</p>
      </Empty>
    </div>
  );
}

const Waiting = ({ lines }: { readonly lines: number }) => (
  <div className="page">
    <Skeleton lines={lines} />
  </div>
);
