using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Processes;
using MqttCheck.Health;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Loads.Parts;

/// <summary>What a part of a load has handed over in one call.</summary>
internal sealed record LoadPartReport
{
    /// <summary>Whether its clients are connected.</summary>
    public required bool IsReady { get; init; }

    /// <summary>How far it is.</summary>
    public required LoadProgress Progress { get; init; }

    /// <summary>How it ended.</summary>
    public PartEnd<LoadResult> End { get; init; }

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
    /// <param name="bytes">What <see cref="ToBytes"/> returned.</param>
    /// <param name="setup">The setup of the whole load.</param>
    public static LoadPartReport Read(byte[] bytes, LoadSetup setup)
    {
        using var reader = new BinaryReader(new MemoryStream(bytes, writable: false));
        var isReady = reader.ReadBoolean();
        var progress = new LoadProgress(
            (LoadPhase)reader.ReadByte(),
            reader.ReadDouble(),
            reader.ReadInt32(),
            reader.ReadInt64(),
            reader.ReadInt64()
        );
        return new()
        {
            IsReady = isReady,
            Progress = progress,
            End = PartEnd<LoadResult>.Read(reader, one => Read(one, setup.Workload, setup.Version)),
        };
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
        writer.Write(result.Failure is not null);
        writer.Write(result.Failure ?? "");
        writer.Write(result.SessionsLeft);
        writer.Write(result.Notes.Count);
        foreach (var note in result.Notes)
            writer.Write(note);
    }

    private static LoadResult Read(BinaryReader reader, Workload workload, ProtocolVersion version)
    {
        var window = TimeSpan.FromTicks(reader.ReadInt64());
        var counters = LoadCounters.Read(reader);
        var times = new LoadTimes();
        foreach (var counts in times.All)
            counts.Add(reader);
        var health = PartHealth.Read(reader) with { DelayedAcknowledgementShare = reader.ReadDouble() };
        var warmUp = new WarmUp((StationarityState)reader.ReadByte(), reader.ReadDouble());
        var (processor, allocated) = (TimeSpan.FromTicks(reader.ReadInt64()), reader.ReadInt64());
        var isInterrupted = reader.ReadBoolean();
        var hasFailed = reader.ReadBoolean();
        var failure = reader.ReadString();
        return new()
        {
            Workload = workload,
            Version = version,
            Transport = BrokerTransport.Tcp,
            Window = window,
            Counters = counters,
            Times = times,
            Health = health,
            WarmUp = warmUp,
            GeneratorProcessor = processor,
            AllocatedBytes = allocated,
            // The broker may be on another machine than the worker.
            BrokerProcessor = null,
            Interrupted = isInterrupted,
            Failure = hasFailed ? failure : null,
            SessionsLeft = reader.ReadInt32(),
            Notes = [.. Enumerable.Range(0, reader.ReadInt32()).Select(_ => reader.ReadString())],
        };
    }
}
