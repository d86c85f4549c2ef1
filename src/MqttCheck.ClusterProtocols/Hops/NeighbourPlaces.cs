namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>The places of neighbours in a core's list of them.</summary>
internal static class NeighbourPlaces
{
    /// <summary>The place of each node; -1 of one that is no neighbour.</summary>
    /// <param name="nodes">How many nodes there are.</param>
    /// <param name="neighbours">The neighbours in the order of their places.</param>
    public static int[] Of(int nodes, IReadOnlyList<int> neighbours)
    {
        var places = new int[nodes];
        Array.Fill(places, -1);
        for (var place = 0; place < neighbours.Count; place++)
            places[neighbours[place]] = place;
        return places;
    }
}
