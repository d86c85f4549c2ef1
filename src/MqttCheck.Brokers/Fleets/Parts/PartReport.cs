using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>The report of a part for one call.</summary>
/// <param name="IsReady">
/// Whether the part can begin: all that it needs is compiled, and its event loop is there.
/// </param>
/// <param name="MarkNanoseconds">
/// Everything that began before this time was handed over, now or earlier; since the common start.
/// </param>
/// <param name="Exchanges">Exchanges that have ended, with times since the common start.</param>
/// <param name="Lost">Connections that were lost.</param>
/// <param name="Progress">How far the part is.</param>
/// <param name="End">How it ended.</param>
internal sealed record PartReport(
    bool IsReady,
    long MarkNanoseconds,
    IReadOnlyList<Exchange> Exchanges,
    IReadOnlyList<LostConnection> Lost,
    FleetProgress Progress,
    PartEnd<FleetRunResult> End
)
{
    /// <summary>The bytes of a report.</summary>
    public byte[] ToBytes()
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        writer.Write(IsReady);
        writer.Write(MarkNanoseconds);
        var exchanges = Exchanges.Count == 0 ? [] : ExchangeLogBytes.Of(Exchanges);
        writer.Write(exchanges.Length);
        writer.Write(exchanges);
        writer.Write(Lost.Count);
        foreach (var (client, at) in Lost)
        {
            writer.Write(client);
            writer.Write(at);
        }
        writer.Write(Progress.Elapsed.Ticks);
        foreach (var count in (long[])[Progress.Sent, Progress.Completed, Progress.Failed])
            writer.Write(count);
        writer.Write(Progress.SequencesDone);
        writer.Write(Progress.SequencesNeeded);
        End.Write(writer, PartResultText.Write);
        return bytes.ToArray();
    }

    /// <summary>Reads the bytes of a report.</summary>
    public static PartReport Read(byte[] bytes)
    {
        using var reader = new BinaryReader(new MemoryStream(bytes, writable: false));
        return new(
            reader.ReadBoolean(),
            reader.ReadInt64(),
            reader.ReadBytes(reader.ReadInt32()) is { Length: > 0 } exchanges ? ExchangeLogBytes.Read(exchanges) : [],
            [
                .. Enumerable
                    .Range(0, reader.ReadInt32())
                    .Select(_ => new LostConnection(reader.ReadInt32(), reader.ReadInt64())),
            ],
            new FleetProgress(
                TimeSpan.FromTicks(reader.ReadInt64()),
                reader.ReadInt64(),
                reader.ReadInt64(),
                reader.ReadInt64(),
                reader.ReadInt32(),
                reader.ReadInt32()
            ),
            PartEnd<FleetRunResult>.Read(reader, PartResultText.Read)
        );
    }
}
