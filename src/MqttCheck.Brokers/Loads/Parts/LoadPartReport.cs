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
        writer.WriteValue(Progress);
        writer.WriteValue(End with { Result = null });
        if (End.Result is { } result)
            Write(writer, result);
        return bytes.ToArray();
    }

    /// <summary>Reads the bytes of a report.</summary>
    /// <param name="bytes">The bytes that <see cref="ToBytes"/> returned.</param>
    /// <param name="setup">The setup of the whole load.</param>
    public static LoadPartReport Read(byte[] bytes, LoadSetup setup)
    {
        using var reader = new BinaryReader(new MemoryStream(bytes, writable: false));
        var (isReady, progress) = (reader.ReadBoolean(), reader.ReadValue<LoadProgress>());
        var end = reader.ReadValue<PartEnd<LoadResult>>();
        var hasResult = reader.BaseStream.Position < bytes.Length;
        return new(
            isReady,
            progress,
            hasResult ? end with { Result = Read(reader, setup.Workload, setup.Version) } : end
        );
    }

    private static void Write(BinaryWriter writer, LoadResult result)
    {
        writer.Write(result.Window.Ticks);
        result.Counters.Write(writer);
        foreach (var times in result.Times.All)
            times.Write(writer);
        writer.WriteValue(result.Health);
        writer.WriteValue(result.WarmUp);
        writer.Write(result.GeneratorProcessor.Ticks);
        writer.Write(result.AllocatedBytes);
        writer.Write(result.Interrupted);
        writer.WriteValue(result.Failure);
        writer.Write(result.SessionsLeft);
        writer.WriteValue(result.Notes);
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
            Health = reader.ReadValue<RunHealth>(),
            WarmUp = reader.ReadValue<WarmUp>(),
            GeneratorProcessor = TimeSpan.FromTicks(reader.ReadInt64()),
            AllocatedBytes = reader.ReadInt64(),
            // The broker may be on another machine than the worker.
            BrokerProcessor = null,
            Interrupted = reader.ReadBoolean(),
            Failure = reader.ReadValue<string?>(),
            SessionsLeft = reader.ReadInt32(),
            Notes = reader.ReadValue<string[]>(),
        };
    }
}
