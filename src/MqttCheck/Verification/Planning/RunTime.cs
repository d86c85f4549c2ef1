using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Verification.Planning;

/// <summary>
/// How long the runs of a setup take. A run ends when its slowest client is done: the more clients there are, and the
/// more their waits vary, the longer it takes.
/// </summary>
internal sealed class RunTime(Population population, int clients)
{
    /// <summary>
    /// The overhead of a run beside its counted sequences, in sequences, if all clients wait equally long. A run begins
    /// with half a sequence on average. It ends with the slowest client, about half a sequence after the mean client,
    /// and then drops its sessions.
    /// </summary>
    public const double OverheadInSequences = 1.5;

    private const int Draws = 1 << 16;
    private const ulong Seed = 1;
    private const int MostSequences = 1_000_000;

    private readonly double _rampUpSeconds = RampUpSeconds(population, clients);
    private readonly double _leastSequenceSeconds = LeastSequenceSeconds(population);
    private readonly GroupWaits[] _groups = GroupWaits.Of(population, clients);

    /// <summary>How long a run takes, in seconds, with what its clients take to connect.</summary>
    /// <param name="sequences">The counted sequences of each client.</param>
    /// <param name="sequenceSeconds">
    /// The time of a sequence of the slowest group; null where answers take no time beside the waits.
    /// </param>
    public double Seconds(int sequences, double? sequenceSeconds = null)
    {
        var sequence = sequenceSeconds ?? _leastSequenceSeconds;
        var answers = (sequences + OverheadInSequences) * Math.Max(0, sequence - _leastSequenceSeconds);
        return Math.Max(
            _rampUpSeconds + (sequences + OverheadInSequences) * sequence,
            SlowestSeconds(sequences) + answers
        );
    }

    /// <summary>When the slowest client has done its waits, in seconds, after what all take to connect.</summary>
    /// <param name="sequences">The counted sequences of each client.</param>
    public double SlowestSeconds(int sequences) =>
        _rampUpSeconds + _groups.Max(group => group.SlowestSeconds(sequences));

    /// <summary>The most counted sequences with which a run takes no longer than a time; 0 for none.</summary>
    /// <param name="seconds">That time, in seconds.</param>
    /// <param name="sequenceSeconds">The time of a sequence of the slowest group.</param>
    public int SequencesWithin(double seconds, double sequenceSeconds)
    {
        var tooMany = IntegerSearch.FirstIndex(MostSequences + 1, count => Seconds(count, sequenceSeconds) > seconds);
        return Math.Max(0, tooMany - 1);
    }

    /// <summary>The time of a sequence in seconds if answers took none: what clients wait.</summary>
    /// <param name="population">The profile.</param>
    public static double LeastSequenceSeconds(Population population) =>
        population.Groups.Max(group => group.Profile.SequenceLength * ClientLife.MeanWaitOf(group.Profile)) / 1000;

    /// <summary>How long the clients take to connect at the beginning of a run, in seconds.</summary>
    /// <param name="population">The profile.</param>
    /// <param name="clients">The number of clients.</param>
    public static double RampUpSeconds(Population population, int clients) =>
        RampUp.Of(population, clients).EndMilliseconds / 1000;

    /// <summary>The time of a sequence in seconds.</summary>
    /// <param name="prediction">The prediction.</param>
    /// <param name="population">The profile, one of the prediction's.</param>
    /// <param name="clients">The number of clients, one of the prediction's.</param>
    public static double SequenceSeconds(Prediction prediction, Population population, int clients)
    {
        var worst = prediction
            .Setups.First(setup => setup.Profile == population.Name && setup.Clients == clients)
            .WorstMilliseconds;
        var median = worst[worst.Count / 2];
        // Twelve exchanges with the reset; none is slower than the worst of its sequence.
        return population.Groups.Max(group =>
            (
                group.Profile.SequenceLength * ClientLife.MeanWaitOf(group.Profile)
                + (group.Profile.SequenceLength + 2) * median / 2
            ) / 1000
        );
    }

    // Clients, messages of a sequence, and mean and variance of the wait before one, in seconds.
    private sealed record GroupWaits(double Clients, int Messages, double Mean, double Variance)
    {
        private const double LargestShape = 1e6;

        // The expected value of the largest of n gamma variates lies near this quantile (Gringorten 1963).
        private double RankOfSlowest => 1 - .56 / (Math.Max(1, Clients) + .12);

        public static GroupWaits[] Of(Population population, int clients)
        {
            var shares = population.Groups.Sum(group => group.Share);
            return [.. population.Groups.Select(group => Of(group.Profile, group.Share / shares * clients))];
        }

        private static GroupWaits Of(UsageProfile profile, double clients)
        {
            var random = RandomStream.For(Seed);
            double sum = 0,
                squares = 0;
            for (var i = 0; i < Draws; i++)
            {
                var wait = profile.WaitMilliseconds.Draw(ref random);
                (sum, squares) = (sum + wait, squares + wait * wait);
            }
            var mean = ClientLife.MeanWaitOf(profile) / 1000;
            // Instants come when they come, whatever the waits between them.
            var relative = sum > 0 && profile.Simultaneous is null ? Math.Max(0, squares * Draws / (sum * sum) - 1) : 0;
            return new(clients, profile.SequenceLength, mean, relative * mean * mean);
        }

        /// <summary>
        /// The waits of the slowest client. Each begins anywhere in a sequence that does not count, and the sum of its
        /// waits is about gamma distributed.
        /// </summary>
        public double SlowestSeconds(int sequences)
        {
            var messages = sequences * Messages + (Messages - 1) / 2.0;
            var mean = messages * Mean;
            // Up to a sequence but one message comes before what counts, each number with the same probability.
            var variance = messages * Variance + (Messages * Messages - 1) / 12.0 * Mean * Mean;
            if (variance <= 0)
                return mean;
            var shape = mean * mean / variance;
            // The sum of so many waits is normal to five digits, and this takes no time.
            return shape > LargestShape
                ? Normal.InvCDF(mean, Math.Sqrt(variance), RankOfSlowest)
                : Gamma.InvCDF(shape, mean / variance, RankOfSlowest);
        }
    }
}
