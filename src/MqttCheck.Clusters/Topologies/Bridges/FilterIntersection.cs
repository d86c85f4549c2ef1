namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>The topics that two filters have in common, which are those of one filter or none.</summary>
internal static class FilterIntersection
{
    /// <summary>The filter that matches exactly what both match, or null where nothing does.</summary>
    /// <param name="a">A filter without a share.</param>
    /// <param name="b">A filter without a share.</param>
    public static string? Of(string a, string b)
    {
        // A wildcard at the beginning does not match $-topics (section 4.7.2).
        if ((a.StartsWith('$') && StartsWild(b)) || (b.StartsWith('$') && StartsWild(a)))
            return null;
        var (left, right) = (a.Split('/'), b.Split('/'));
        var levels = new List<string>();
        for (var level = 0; ; level++)
        {
            // "a/#" matches "a" too, so a # has its say when the other filter has ended.
            var (leftEnds, rightEnds) = (level == left.Length, level == right.Length);
            if (leftEnds && rightEnds)
                return string.Join('/', levels);
            if (leftEnds || rightEnds)
                return (leftEnds ? right : left)[level] == "#" ? string.Join('/', levels) : null;
            if (left[level] == "#")
                return string.Join('/', levels.Concat(right[level..]));
            if (right[level] == "#")
                return string.Join('/', levels.Concat(left[level..]));
            if (left[level] != "+" && right[level] != "+" && left[level] != right[level])
                return null;
            levels.Add(left[level] == "+" ? right[level] : left[level]);
        }
    }

    private static bool StartsWild(string filter) => filter[0] is '+' or '#';
}
