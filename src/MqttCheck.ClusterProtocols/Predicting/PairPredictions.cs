using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.ClusterProtocols.Predicting;

/// <summary>
/// Delivery times and losses for each ordered pair of places, run by run. What it keeps does not grow with the runs.
/// </summary>
/// <param name="places">The places.</param>
internal sealed class PairPredictions(ClientPlaces places)
{
    private readonly SortedDictionary<(int From, int To), Pair> _pairs = [];

    /// <summary>How many runs were counted.</summary>
    public int Runs { get; private set; }

    /// <summary>Whether the pairs are of sites, and not of brokers.</summary>
    public bool AreSites => places.AreSites;

    /// <summary>
    /// The predictions from the runs so far: one for each pair that was owed a delivery, in the order of the places.
    /// </summary>
    public IReadOnlyList<PairPrediction> Answers =>
        [
            .. _pairs.Select(pair => new PairPrediction(
                places.Names[pair.Key.From],
                places.Names[pair.Key.To],
                pair.Value.Times.MeanMilliseconds,
                pair.Value.Times.QuantileMilliseconds(.5),
                pair.Value.Times.QuantileMilliseconds(.99),
                pair.Value.Owed,
                pair.Value.Missing,
                pair.Value.Lost
            )),
        ];

    /// <summary>Counts a run.</summary>
    /// <param name="outcome">The run, with its pairs.</param>
    public void Add(ClusterOutcome outcome)
    {
        Runs++;
        foreach (var given in outcome.Pairs)
        {
            var pair = _pairs.GetOrNew((given.From, given.To));
            pair.Owed += given.Owed;
            pair.Missing += given.Missing;
            pair.Lost += given.Lost;
            foreach (var nanoseconds in given.DeliveryNanoseconds)
                pair.Times.Add(nanoseconds);
        }
    }

    private sealed class Pair
    {
        public long Owed { get; set; }

        public long Missing { get; set; }

        public long Lost { get; set; }

        public DeliveryTimes Times { get; } = new();
    }
}
