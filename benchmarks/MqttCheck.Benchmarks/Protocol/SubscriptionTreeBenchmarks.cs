using System.Text;
using BenchmarkDotNet.Attributes;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Benchmarks.Protocol;

/// <summary>One topic matched against a tree of many filters, ten of which match. Aim: 5 us at one million.</summary>
[MemoryDiagnoser]
public class SubscriptionTreeBenchmarks
{
    private readonly SubscriptionTree<int> _tree = new();
    private byte[][] _topics = [];
    private int _next;

    /// <summary>Number of filters.</summary>
    [Params(1_000, 1_000_000)]
    public int Filters { get; set; }

    /// <summary>Plants the tree: a filter per device, and wildcard filters of which ten match every topic.</summary>
    [GlobalSetup]
    public void Setup()
    {
        for (var i = 0; i < Filters - 9; i++)
            _tree.Set(Topic(i), i);
        foreach (
            var filter in new[]
            {
                "#",
                "site/#",
                "site/+/#",
                "+/+/room/#",
                "site/+/room/+/device/+",
                "+/+/+/+/+/+",
                "site/+/+/+/device/#",
                "+/#",
                "site/+/room/+/#",
            }
        )
            _tree.Set(Encoding.UTF8.GetBytes(filter), -1);
        // In an order without pattern, so that the caches do not know the way.
        _topics = [.. Enumerable.Range(0, 65_536).Select(i => Topic((int)((i * 2_654_435_761L) % (Filters - 9))))];
    }

    /// <summary>Matches one topic; ten filters do.</summary>
    [Benchmark]
    public int Match()
    {
        var counter = default(Counter);
        _tree.Match(_topics[_next++ & 65_535], ref counter);
        return counter.Matches == 10
            ? counter.Matches
            : throw new InvalidOperationException($"{counter.Matches} matches");
    }

    private static byte[] Topic(int i) =>
        Encoding.UTF8.GetBytes($"site/{i % 100}/room/{i / 100 % 100}/device/{i / 10_000}");

    private struct Counter : ISubscriptionVisitor<int>
    {
        internal int Matches;

        public void Visit(int value) => Matches++;
    }
}
