using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>What a part has handed over in one call.</summary>
internal sealed record PartReport
{
    /// <summary>Whether the part can begin: all that it needs is compiled, and its event loop is there.</summary>
    public required bool IsReady { get; init; }

    /// <summary>Exchanges that have ended, with times since the common start.</summary>
    public required IReadOnlyList<Exchange> Exchanges { get; init; }

    /// <summary>Connections that were lost.</summary>
    public required IReadOnlyList<LostConnection> Lost { get; init; }

    /// <summary>
    /// Everything that began before this time was handed over, now or earlier; since the common start.
    /// </summary>
    public required long MarkNanoseconds { get; init; }

    /// <summary>How far the part is.</summary>
    public required FleetProgress Progress { get; init; }

    /// <summary>How it ended.</summary>
    public PartEnd<FleetRunResult> End { get; init; }

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
        var isReady = reader.ReadBoolean();
        var mark = reader.ReadInt64();
        var exchanges = reader.ReadBytes(reader.ReadInt32());
        var lost = new LostConnection[reader.ReadInt32()];
        for (var i = 0; i < lost.Length; i++)
            lost[i] = new(reader.ReadInt32(), reader.ReadInt64());
        var progress = new FleetProgress(
            TimeSpan.FromTicks(reader.ReadInt64()),
            reader.ReadInt64(),
            reader.ReadInt64(),
            reader.ReadInt64(),
            reader.ReadInt32(),
            reader.ReadInt32()
        );
        return new()
        {
            IsReady = isReady,
            Exchanges = exchanges.Length == 0 ? [] : ExchangeLogBytes.Read(exchanges),
            Lost = lost,
            MarkNanoseconds = mark,
            Progress = progress,
            End = PartEnd<FleetRunResult>.Read(reader, PartResultText.Read),
        };
    }
}
