using System.Runtime.CompilerServices;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.ClusterProtocols.Overlays;

/// <summary>
/// Some of a node's neighbours, by their places. It is a value, so that holding a message allocates nothing more.
/// </summary>
internal struct PlaceSet
{
    private Words _words;

    public readonly bool Contains(int place) => (_words[place >> 6] >> (place & 63) & 1) != 0;

    public void Add(int place) => _words[place >> 6] |= 1UL << (place & 63);

    public void Remove(int place) => _words[place >> 6] &= ~(1UL << (place & 63));

    [InlineArray(Topology.MostNodes / 64)]
    private struct Words
    {
        private ulong _first;
    }
}
