namespace MqttCheck.Broker.Routing;

/// <summary>
/// How the sets of topics of two filters relate. Filters are valid; a topic name is a filter without wildcards.
/// </summary>
internal static class FilterRelations
{
    /// <summary>
    /// Whether every topic that <paramref name="inner"/> matches is matched by <paramref name="outer"/>.
    /// </summary>
    public static bool Covers(string outer, string inner)
    {
        if (StartsWithWildcard(outer) && inner.StartsWith('$'))
            return false;
        // The two match the same topics: those that do not begin with $.
        if (outer == "+/#")
            outer = "#";
        var (o, i) = (outer.Split('/'), inner.Split('/'));
        for (var level = 0; level < o.Length; level++)
        {
            // "a/#" covers "a" and everything below it.
            if (o[level] == "#")
                return level <= i.Length;
            if (level >= i.Length || i[level] == "#" || (o[level] != "+" && o[level] != i[level]))
                return false;
        }
        return o.Length == i.Length;
    }

    /// <summary>Whether some topic is matched by both.</summary>
    public static bool Overlap(string a, string b)
    {
        if ((StartsWithWildcard(a) && b.StartsWith('$')) || (StartsWithWildcard(b) && a.StartsWith('$')))
            return false;
        var (x, y) = (a.Split('/'), b.Split('/'));
        for (var level = 0; ; level++)
        {
            var (xEnds, yEnds) = (level >= x.Length, level >= y.Length);
            if (xEnds && yEnds)
                return true;
            if ((!xEnds && x[level] == "#") || (!yEnds && y[level] == "#"))
                return true;
            if (xEnds || yEnds || (x[level] != "+" && y[level] != "+" && x[level] != y[level]))
                return false;
        }
    }

    private static bool StartsWithWildcard(string filter) => filter.StartsWith('#') || filter.StartsWith('+');
}
