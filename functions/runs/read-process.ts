import { answerReading } from "../../shared/knowledge/readers/answer-reading.ts";

await answerReading();
