using System.Runtime.CompilerServices;
using MqttCheck.Clients;

namespace MqttCheck.Latency.Features;

/// <summary>
/// The cells into which binned quantiles divide the features of an exchange: kind, open exchanges, subscribers of the
/// topic and whether any of them withholds an acknowledgement, recent activity. Finer where most exchanges are.
/// </summary>
internal static class FeatureBins
{
    public static readonly int[] ActiveEdges = [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 36, 46, 57, 68, 80, 92];
    public static readonly int[] SubscriberEdges = [0, 1, 2, 3, 5, 8, 12, 17];
    public static readonly double[] RecentActivityEdges =
    [
        0.03,
        0.08,
        0.14,
        0.2,
        0.28,
        0.4,
        0.55,
        0.75,
        1,
        1.4,
        2,
        2.8,
        4,
        5.6,
        8,
        11,
        16,
        22,
    ];

    public const int ActiveBins = 18;
    public const int SubscriberBins = 8;
    public const int WithheldBins = 2;
    public const int RecentActivityBins = 19;
    public const int CellsPerKind = ActiveBins * SubscriberBins * WithheldBins * RecentActivityBins;
    public const int Cells = MessageKinds.Count * CellsPerKind;

    private static readonly byte[] ActiveBin = Lookup(ActiveEdges);
    private static readonly byte[] SubscriberBin = Lookup(SubscriberEdges);

    private const double LastRecentEdge = 22;
    private const int RecentSlices = 32;
    private static readonly double[] RecentBinBegins = [0, .. RecentActivityEdges];

    // The last bin that begins in the slice or before.
    private static readonly byte[] RecentBinOfSlice =
    [
        .. Enumerable
            .Range(0, (int)(LastRecentEdge * RecentSlices) + 1)
            .Select(slice => (byte)RecentActivityEdges.Count(edge => edge < (slice + 1.0) / RecentSlices)),
    ];

    /// <summary>The cell of an exchange, 0 .. <see cref="Cells"/> - 1.</summary>
    /// <param name="features">Its features.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int CellOf(in ExchangeFeatures features) =>
        Cell(
            (int)features.Kind,
            ActiveBin[Math.Min(features.Active, 92)],
            SubscriberBin[Math.Min(features.Subscribers, 17)],
            Math.Min(features.Withheld, 1),
            RecentBin(features.RecentActivity)
        );

    /// <summary>
    /// The cell that the exchange would have if no other were open and no receiver withheld an acknowledgement.
    /// </summary>
    /// <param name="features">Its features.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int AloneCellOf(in ExchangeFeatures features) =>
        Cell(
            (int)features.Kind,
            0,
            SubscriberBin[Math.Min(features.Subscribers, 17)],
            0,
            RecentBin(features.RecentActivity)
        );

    /// <summary>The cell with the given bins.</summary>
    public static int Cell(int kind, int active, int subscribers, int withheld, int recent) =>
        (((kind * ActiveBins + active) * SubscriberBins + subscribers) * WithheldBins + withheld) * RecentActivityBins
        + recent;

    /// <summary>
    /// The cell with the same bins, but of publications of which no receiver withholds an acknowledgement.
    /// </summary>
    /// <param name="cell">The cell.</param>
    public static int WithoutWithheld(int cell) => cell - BinsOf(cell).Withheld * RecentActivityBins;

    /// <summary>The bins of a cell.</summary>
    public static (int Kind, int Active, int Subscribers, int Withheld, int Recent) BinsOf(int cell)
    {
        var (rest, recent) = Math.DivRem(cell, RecentActivityBins);
        (rest, var withheld) = Math.DivRem(rest, WithheldBins);
        (rest, var subscribers) = Math.DivRem(rest, SubscriberBins);
        var (kind, active) = Math.DivRem(rest, ActiveBins);
        return (kind, active, subscribers, withheld, recent);
    }

    /// <summary>The values of the features in the middle of a cell; of an open bin a little above its edge.</summary>
    public static (double Active, double Subscribers, double RecentActivity) CentreOf(int cell)
    {
        var (_, active, subscribers, _, recent) = BinsOf(cell);
        return (
            Middle(ActiveEdges, active),
            Middle(SubscriberEdges, subscribers),
            recent switch
            {
                0 => RecentActivityEdges[0] / 2,
                RecentActivityBins - 1 => RecentActivityEdges[^1] * 1.2,
                _ => (RecentActivityEdges[recent - 1] + RecentActivityEdges[recent]) / 2,
            }
        );

        // The bin [from, to) of integers has its middle at (from + to - 1) / 2.
        static double Middle(int[] edges, int bin) =>
            bin + 1 < edges.Length ? (edges[bin] + edges[bin + 1] - 1) / 2.0 : edges[bin] * 1.1;
    }

    // No slice of a 32nd holds two edges, so one comparison says on which side of its edge a value is.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int RecentBin(double recent)
    {
        var bin = RecentBinOfSlice[(int)(Math.Min(recent, LastRecentEdge) * RecentSlices)];
        return recent < RecentBinBegins[bin] ? bin - 1 : bin;
    }

    private static byte[] Lookup(int[] edges) =>
        [
            .. Enumerable
                .Range(0, edges[^1] + 1)
                .Select(value => (byte)Math.Max(0, edges.Count(edge => edge <= value) - 1)),
        ];
}
