using System.Globalization;

namespace MqttCheck.Profiles;

/// <summary>
/// How many clients there are: numbers for whole populations, such as <c>20,100</c>, or numbers for each of their
/// groups, such as <c>sensors=400+dashboards=10</c>.
/// </summary>
/// <param name="Counts">Numbers of clients, ascending; empty where groups are counted.</param>
/// <param name="Groups">Numbers of clients by the names of groups; empty where populations are counted.</param>
internal sealed record FleetSizes(IReadOnlyList<int> Counts, IReadOnlyList<IReadOnlyDictionary<string, int>> Groups)
{
    private const int LongestName = 64;

    /// <summary>The largest number of all clients together.</summary>
    public int Largest => Groups.Count > 0 ? Groups.Max(sizes => sizes.Values.Sum()) : Counts.Max();

    /// <summary>Sizes of whole populations.</summary>
    /// <param name="counts">The numbers.</param>
    public static FleetSizes Of(params IReadOnlyList<int> counts) => new([.. counts.Distinct().Order()], []);

    /// <summary>Reads sizes from text.</summary>
    /// <param name="text">Numbers, or sums of NAME=N, separated by commas; not both.</param>
    /// <param name="most">The most clients of a fleet.</param>
    /// <returns>The sizes; null where the text is none.</returns>
    public static FleetSizes? TryParse(string text, int most)
    {
        var parts = text.Split(',');
        if (parts.All(part => !part.Contains('=', StringComparison.Ordinal)))
        {
            var counts = Array.ConvertAll(parts, part => Number(part, most));
            return counts.Contains(null) || counts.Contains(0) ? null : Of([.. counts.Select(count => count!.Value)]);
        }
        var groups = new List<IReadOnlyDictionary<string, int>>();
        foreach (var part in parts)
        {
            var sizes = new Dictionary<string, int>(StringComparer.Ordinal);
            foreach (var term in part.Split('+'))
            {
                var at = term.IndexOf('=', StringComparison.Ordinal);
                if (at < 1 || Number(term[(at + 1)..], most) is not { } number || !sizes.TryAdd(term[..at], number))
                    return null;
            }
            if (sizes.Values.Sum(size => (long)size) is < 1 || sizes.Values.Sum(size => (long)size) > most)
                return null;
            groups.Add(sizes);
        }
        return new([], groups);
    }

    /// <summary>
    /// The fleets of populations: each with the numbers of clients, and with the shares of its groups as given. Where
    /// one command has several mixes of a population, each has a name of its own.
    /// </summary>
    /// <param name="populations">The populations.</param>
    /// <exception cref="InputException">
    /// A group is not of the population, or one of its groups has no number.
    /// </exception>
    public IReadOnlyList<AskedFleet> Of(IReadOnlyList<Population> populations)
    {
        return Groups.Count == 0
            ? [.. populations.Select(population => new AskedFleet(population, Counts))]
            : [.. populations.SelectMany(Mixed)];
    }

    private IEnumerable<AskedFleet> Mixed(Population population)
    {
        var mixes = Groups
            .Select(sizes => (Population: Resized(population, sizes), Clients: sizes.Values.Sum()))
            .GroupBy(fleet => Mix(fleet.Population))
            .ToArray();
        foreach (var mix in mixes)
        {
            var name = population.Name + "." + mix.Key;
            yield return new(
                mix.First().Population with
                {
                    Name =
                        mixes.Length == 1 ? population.Name
                        : name.Length <= LongestName ? name
                        : name[..LongestName],
                },
                [.. mix.Select(fleet => fleet.Clients).Distinct().Order()]
            );
        }
    }

    private static Population Resized(Population population, IReadOnlyDictionary<string, int> sizes)
    {
        var known = population.Groups.Select(group => group.Name).ToArray();
        var wrong = sizes.Keys.Except(known).FirstOrDefault();
        var missing = known.Except(sizes.Keys).ToArray();
        if (wrong is not null || missing.Length > 0)
            throw new InputException(
                (wrong is not null ? $"--clients: group '{wrong}' given" : $"--clients: group '{missing[0]}' missing")
                    + $"; allowed: a number for each group of {population.Name}, such as "
                    + $"{string.Join('+', known.Select(Sized))} (0 leaves a group out)."
            );
        string Sized(string group) =>
            string.Create(CultureInfo.InvariantCulture, $"{group}={sizes.GetValueOrDefault(group)}");

        var divisor = sizes.Values.Aggregate(Divisor);
        return population with
        {
            Groups =
            [
                .. population
                    .Groups.Where(group => sizes[group.Name] > 0)
                    .Select(group => group with { Share = sizes[group.Name] / divisor }),
            ],
        };
    }

    private static string Mix(Population population) =>
        string.Join(
            '.',
            population.Groups.Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.Name}{group.Share}"))
        );

    private static int Divisor(int one, int other) => other == 0 ? Math.Max(one, 1) : Divisor(other, one % other);

    private static int? Number(string text, int most) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number <= most
            ? number
            : null;
}
