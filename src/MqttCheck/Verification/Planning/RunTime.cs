using MqttCheck.Predictions;
using MqttCheck.Profiles;

namespace MqttCheck.Verification.Planning;

/// <summary>How long the runs of a setup take, as far as its prediction tells.</summary>
public static class RunTime
{
    /// <summary>
    /// What a run takes beside its counted sequences, in sequences. It begins with half a one on average, ends when the
    /// slowest client is done, about half a one after the mean client, and then drops its sessions.
    /// </summary>
    public const double OverheadInSequences = 1.5;

    /// <summary>The time of a sequence in seconds if answers took none: what clients wait.</summary>
    /// <param name="population">The profile.</param>
    public static double LeastSequenceSeconds(Population population) =>
        population.Groups.Max(group => group.Profile.SequenceLength * group.Profile.MeanWaitMilliseconds) / 1000;

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
                group.Profile.SequenceLength * group.Profile.MeanWaitMilliseconds
                + (group.Profile.SequenceLength + 2) * median / 2
            ) / 1000
        );
    }
}
