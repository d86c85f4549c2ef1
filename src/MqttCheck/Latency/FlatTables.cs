using System.Runtime.CompilerServices;
using MqttCheck.Statistics;

namespace MqttCheck.Latency;

/// <summary>Quantile tables side by side in one array, so that a draw is two look-ups. Immutable.</summary>
internal readonly struct FlatTables
{
    private readonly TablePlace[] _places;
    private readonly float[] _knots;

    private FlatTables(TablePlace[] places, float[] knots) => (_places, _knots) = (places, knots);

    /// <summary>Lays tables side by side.</summary>
    /// <param name="tables">The tables by number; null for a number that cannot be drawn from.</param>
    public static FlatTables Of(QuantileTable?[] tables)
    {
        var places = new TablePlace[tables.Length];
        var knots = new List<float>();
        // Many numbers share a table: those that were never seen the one of their nearest neighbour.
        var known = new Dictionary<QuantileTable, TablePlace>();
        for (var number = 0; number < tables.Length; number++)
        {
            if (tables[number] is not { } table) continue;
            if (!known.TryGetValue(table, out places[number]))
            {
                known.Add(table, places[number] = new(knots.Count, table));
                knots.AddRange(table.KnotsMilliseconds);
            }
        }
        return new(places, [.. knots]);
    }

    /// <summary>Whether there is a table of a number.</summary>
    /// <param name="number">The number.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Has(int number) => _places[number].BodyScale != 0;

    /// <summary>Draws a latency in milliseconds.</summary>
    /// <param name="number">The number of a table that there is.</param>
    /// <param name="random">The stream to draw from.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double Draw(int number, ref RandomStream random)
    {
        ref readonly var place = ref _places[number];
        var u = random.NextDouble();
        var position = u < place.Split ? u * place.BodyScale : place.Body + (u - place.Split) * place.TailScale;
        var i = (int)position;
        var knots = _knots.AsSpan(place.Offset + i, 2);
        return knots[0] + (position - i) * (knots[1] - knots[0]);
    }
}
