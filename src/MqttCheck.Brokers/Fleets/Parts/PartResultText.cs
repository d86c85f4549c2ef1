using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>Encodes the result of a part of a fleet as bytes.</summary>
internal static class PartResultText
{
    /// <summary>Writes a result.</summary>
    public static void Write(BinaryWriter writer, FleetRunResult result)
    {
        writer.Write(result.Run);
        writer.Write(result.Outcomes.Count);
        foreach (var outcome in result.Outcomes)
        {
            writer.Write(outcome.Client);
            writer.Write(outcome.Sequence);
            writer.Write(outcome.IssueIndex);
            writer.Write(outcome.Latencies.WorstMilliseconds);
            writer.Write(outcome.Latencies.WorstPublishMilliseconds);
            writer.Write(outcome.Latencies.WorstAcknowledgementMilliseconds);
            writer.Write((byte)outcome.Status);
        }
        foreach (var count in Enum.GetValues<ExchangeOutcome>().Select(result.Count))
            writer.Write(count);
        writer.Write(result.Publications);
        writer.Write(result.Deliveries);
        writer.Write(result.Lost);
        writer.Write(result.Duplicates);
        writer.Write(result.Redeliveries);
        writer.Write(result.Strays);
        PartHealth.Write(writer, result.Health);
        writer.Write(result.Duration.Ticks);
        writer.Write(result.Interrupted);
        writer.Write(result.SessionsLeft);
        writer.WriteTexts(result.FirstFailures);
    }

    /// <summary>Reads a result. The warm-up is left out, because it belongs to the whole fleet.</summary>
    public static FleetRunResult Read(BinaryReader reader)
    {
        var run = reader.ReadInt32();
        // Initialisers run in the order in which the fields were written.
        return new()
        {
            Run = run,
            Outcomes =
            [
                .. Enumerable
                    .Range(0, reader.ReadInt32())
                    .Select(_ => new Outcome(
                        run,
                        reader.ReadInt32(),
                        reader.ReadInt32(),
                        reader.ReadInt64(),
                        new(reader.ReadDouble(), reader.ReadDouble(), reader.ReadDouble()),
                        (OutcomeStatus)reader.ReadByte()
                    )),
            ],
            ExchangesByOutcome = [.. Enum.GetValues<ExchangeOutcome>().Select(_ => reader.ReadInt64())],
            Publications = reader.ReadInt64(),
            Deliveries = reader.ReadInt64(),
            Lost = reader.ReadInt64(),
            Duplicates = reader.ReadInt64(),
            Redeliveries = reader.ReadInt64(),
            Strays = reader.ReadInt64(),
            Health = PartHealth.Read(reader),
            WarmUp = WarmUp.Unknown,
            StartNanoseconds = 0,
            Duration = TimeSpan.FromTicks(reader.ReadInt64()),
            Interrupted = reader.ReadBoolean(),
            SessionsLeft = reader.ReadInt32(),
            FirstFailures = reader.ReadTexts(),
        };
    }
}
