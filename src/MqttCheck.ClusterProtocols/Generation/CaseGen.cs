using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>The helpers that all generators of cases share.</summary>
internal static class CaseGen
{
    /// <summary>So many of one kind.</summary>
    public static Gen<T[]> Some<T>(int least, int most, Gen<T> one) =>
        Gen.Choose(least, most).SelectMany(count => Gen.ArrayOf(one, count));

    /// <summary>One value, drawn from a stream.</summary>
    // FsCheck's streams differ by seed and increment, which is odd.
    public static T Draw<T>(Gen<T> values, ref RandomStream random) =>
        values.Sample(1, new Rnd(random.NextUInt64(), random.NextUInt64() | 1), 50)[0];
}
