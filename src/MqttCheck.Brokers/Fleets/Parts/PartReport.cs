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
        writer.WriteValue(Lost);
        writer.WriteValue(Progress);
        writer.WriteValue(End);
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
            reader.ReadValue<IReadOnlyList<LostConnection>>(),
            reader.ReadValue<FleetProgress>(),
            reader.ReadValue<PartEnd<FleetRunResult>>()
        );
    }
}
