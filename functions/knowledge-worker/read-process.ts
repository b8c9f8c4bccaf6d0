import { answerReading } from "../../shared/knowledge/reading.ts";

await answerReading();
