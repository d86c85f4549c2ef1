using MqttCheck.Health;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>Encodes and merges the health reports of the parts of a run.</summary>
internal static class PartHealth
{
    /// <summary>Writes the health of a generator.</summary>
    public static void Write(BinaryWriter writer, RunHealth health)
    {
        writer.Write((byte)health.Loop);
        writer.Write(health.MeanWaitMilliseconds);
        writer.Write(health.LagMedianMicroseconds);
        writer.Write(health.LagP99Microseconds);
        writer.Write(health.LagMaximumMicroseconds);
        writer.Write(health.GeneratorCpuShare);
        writer.Write(health.StolenShare);
        writer.Write(health.CollectionPauses.Ticks);
        writer.Write(health.PendingBytesMaximum);
    }

    /// <summary>Reads the health of a generator. Latencies are described for the whole run, not for a part.</summary>
    public static RunHealth Read(BinaryReader reader) =>
        new()
        {
            Loop = (LoadLoop)reader.ReadByte(),
            MeanWaitMilliseconds = reader.ReadDouble(),
            LagMedianMicroseconds = reader.ReadDouble(),
            LagP99Microseconds = reader.ReadDouble(),
            LagMaximumMicroseconds = reader.ReadDouble(),
            GeneratorCpuShare = reader.ReadDouble(),
            StolenShare = reader.ReadDouble(),
            CollectionPauses = TimeSpan.FromTicks(reader.ReadInt64()),
            PendingBytesMaximum = reader.ReadInt64(),
        };

    /// <summary>The health of a run: the worst value of all generators counts, except for the mean wait.</summary>
    /// <param name="whole">The health of the run as a whole.</param>
    /// <param name="parts">The health of its parts; empty if all were lost.</param>
    public static RunHealth Worst(RunHealth whole, IReadOnlyList<RunHealth> parts) =>
        parts.Count == 0
            ? whole
            : whole with
            {
                MeanWaitMilliseconds = parts.Average(part => part.MeanWaitMilliseconds),
                LagMedianMicroseconds = parts.Max(part => part.LagMedianMicroseconds),
                LagP99Microseconds = parts.Max(part => part.LagP99Microseconds),
                LagMaximumMicroseconds = parts.Max(part => part.LagMaximumMicroseconds),
                GeneratorCpuShare = parts.Max(part => part.GeneratorCpuShare),
                StolenShare = parts.Max(part => part.StolenShare),
                CollectionPauses = parts.Max(part => part.CollectionPauses),
                PendingBytesMaximum = parts.Max(part => part.PendingBytesMaximum),
            };
}
