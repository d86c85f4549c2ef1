using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Processes;
using MqttCheck.Health;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Loads.Parts;

/// <summary>The report of a part of a load for one call.</summary>
/// <param name="IsReady">Whether its clients are connected.</param>
/// <param name="Progress">How far it is.</param>
/// <param name="End">How it ended.</param>
internal sealed record LoadPartReport(bool IsReady, LoadProgress Progress, PartEnd<LoadResult> End)
{
    /// <summary>The bytes of a report.</summary>
    public byte[] ToBytes()
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        writer.Write(IsReady);
        writer.Write((byte)Progress.Phase);
        writer.Write(Progress.Share);
        writer.Write(Progress.Connected);
        writer.Write(Progress.Sent);
        writer.Write(Progress.Delivered);
        End.Write(writer, Write);
        return bytes.ToArray();
    }

    /// <summary>Reads the bytes of a report.</summary>
    /// <param name="bytes">The bytes that <see cref="ToBytes"/> returned.</param>
    /// <param name="setup">The setup of the whole load.</param>
    public static LoadPartReport Read(byte[] bytes, LoadSetup setup)
    {
        using var reader = new BinaryReader(new MemoryStream(bytes, writable: false));
        return new(
            reader.ReadBoolean(),
            new LoadProgress(
                (LoadPhase)reader.ReadByte(),
                reader.ReadDouble(),
                reader.ReadInt32(),
                reader.ReadInt64(),
                reader.ReadInt64()
            ),
            PartEnd<LoadResult>.Read(reader, one => Read(one, setup.Workload, setup.Version))
        );
    }

    private static void Write(BinaryWriter writer, LoadResult result)
    {
        writer.Write(result.Window.Ticks);
        result.Counters.Write(writer);
        foreach (var times in result.Times.All)
            times.Write(writer);
        PartHealth.Write(writer, result.Health);
        writer.Write(result.Health.DelayedAcknowledgementShare);
        writer.Write((byte)result.WarmUp.State);
        writer.Write(result.WarmUp.SinceSeconds);
        writer.Write(result.GeneratorProcessor.Ticks);
        writer.Write(result.AllocatedBytes);
        writer.Write(result.Interrupted);
        writer.WriteOptional(result.Failure);
        writer.Write(result.SessionsLeft);
        writer.WriteTexts(result.Notes);
    }

    private static LoadResult Read(BinaryReader reader, Workload workload, ProtocolVersion version)
    {
        var window = TimeSpan.FromTicks(reader.ReadInt64());
        var counters = LoadCounters.Read(reader);
        var times = new LoadTimes();
        foreach (var counts in times.All)
            counts.Add(reader);
        // Initialisers run in the order in which the fields were written.
        return new()
        {
            Workload = workload,
            Version = version,
            Transport = BrokerTransport.Tcp,
            Window = window,
            Counters = counters,
            Times = times,
            Health = PartHealth.Read(reader) with { DelayedAcknowledgementShare = reader.ReadDouble() },
            WarmUp = new((StationarityState)reader.ReadByte(), reader.ReadDouble()),
            GeneratorProcessor = TimeSpan.FromTicks(reader.ReadInt64()),
            AllocatedBytes = reader.ReadInt64(),
            // The broker may be on another machine than the worker.
            BrokerProcessor = null,
            Interrupted = reader.ReadBoolean(),
            Failure = reader.ReadOptional(),
            SessionsLeft = reader.ReadInt32(),
            Notes = reader.ReadTexts(),
        };
    }
}
