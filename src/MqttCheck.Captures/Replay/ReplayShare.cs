using System.Text;
using MqttCheck.Statistics;

namespace MqttCheck.Captures.Replay;

/// <summary>The clients that send: those whose place in a random order is among the first.</summary>
internal sealed class ReplayShare
{
    private readonly ulong _seed,
        _last;

    /// <summary>A share of the clients, at least one of them.</summary>
    /// <param name="clients">The names of all clients.</param>
    /// <param name="share">The share, above 0 and at most 1.</param>
    /// <param name="seed">Decides the order.</param>
    public ReplayShare(IEnumerable<string> clients, double share, ulong seed)
    {
        _seed = seed;
        ulong[] places = [.. clients.Select(PlaceOf).Order()];
        var count = Math.Max(1, (int)Math.Round(share * places.Length));
        _last = share == 1 || places.Length == 0 ? ulong.MaxValue : places[count - 1];
        Count = share == 1 ? places.Length : Math.Min(count, places.Length);
    }

    /// <summary>How many clients send.</summary>
    public int Count { get; }

    /// <summary>Whether a client sends.</summary>
    public bool Has(string client) => PlaceOf(client) <= _last;

    // FNV-1a, then mixed with the seed.
    private ulong PlaceOf(string client)
    {
        var hash = 14_695_981_039_346_656_037;
        foreach (var one in Encoding.UTF8.GetBytes(client))
            hash = (hash ^ one) * 1_099_511_628_211;
        return RandomStream.For(_seed, hash).NextUInt64();
    }
}
