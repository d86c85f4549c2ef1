using MqttCheck.Shards;
using MqttCheck.Statistics;

namespace MqttCheck.Workers.Tests.Computing;

/// <summary>
/// Replications that draw a number each, and take as long as they are told to. From one number on they fail.
/// </summary>
internal sealed class CountingJob(byte seed, int milliseconds = 0, int failsFrom = int.MaxValue) : ReplicationJob<ulong>
{
    public const string Kind = "counting";

    public static CountingJob Parse(IReadOnlyList<byte[]> parts) =>
        parts[0].Length == 9
            ? new(parts[0][0], BitConverter.ToInt32(parts[0], 1), BitConverter.ToInt32(parts[0], 5))
            : new(parts[0][0]);

    public override Func<int, CancellationToken, ulong> Start() =>
        (number, cancellation) =>
        {
            if (milliseconds > 0)
                cancellation.WaitHandle.WaitOne(milliseconds);
            cancellation.ThrowIfCancellationRequested();
            return number < failsFrom
                ? RandomStream.For(seed, (ulong)number).NextUInt64()
                : throw new InputException($"replication {number} is wrong");
        };

    public override JobDescription Describe() =>
        new(Kind, (byte[])[seed, .. BitConverter.GetBytes(milliseconds), .. BitConverter.GetBytes(failsFrom)]);

    protected override void Write(BinaryWriter writer, ulong outcome) => writer.Write(outcome);

    protected override ulong Read(BinaryReader reader) => reader.ReadUInt64();
}
