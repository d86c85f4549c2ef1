namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// The answers of a filter to the rest of a topic, from each of its characters on. Two rests with the same answers are
/// alike for every topic that ends with them.
/// </summary>
internal static class FilterStates
{
    /// <summary>
    /// Whether a filter takes a rest, by the number of its characters that were used up before. A <c>+</c> that is not
    /// at its end yet is not used up.
    /// </summary>
    /// <param name="filter">A filter without a share.</param>
    /// <param name="rest">The rest of a topic.</param>
    public static bool[] Of(string filter, string rest)
    {
        var taken = AtEnd(filter);
        for (var place = rest.Length - 1; place >= 0; place--)
        {
            var before = new bool[filter.Length + 1];
            for (var state = filter.Length - 1; state >= 0; state--)
                before[state] = filter[state] switch
                {
                    '#' => true,
                    '+' => (rest[place] != '/' && taken[state]) || before[state + 1],
                    var literal => literal == rest[place] && taken[state + 1],
                };
            taken = before;
        }
        // A wildcard at the beginning does not match $-topics (section 4.7.2).
        taken[0] &= !(filter[0] is '+' or '#' && rest.StartsWith('$'));
        return taken;
    }

    // At the end of a topic: "a/#" takes "a" too, and a + takes an empty level.
    private static bool[] AtEnd(string filter)
    {
        var taken = new bool[filter.Length + 1];
        taken[filter.Length] = true;
        for (var state = filter.Length - 1; state >= 0; state--)
            taken[state] = filter[state] switch
            {
                '#' => true,
                '+' => taken[state + 1],
                _ => filter.AsSpan(state) is "/#",
            };
        return taken;
    }
}
