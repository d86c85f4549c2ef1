namespace MqttCheck.Sequential.Runs;

/// <summary>
/// Evidence against "the mean is t or less", or "t or more", from run means in 0 .. 1 that are independent and follow
/// any law: a gambler bets on each run that it lies on the other side of t, and starts with a stake of 1. A bet gains
/// nothing on average where the statement is true; so wealth ever reaches 1 / error with a probability of at most the
/// error (Ville's inequality; Waudby-Smith and Ramdas 2024).
/// </summary>
/// <remarks>
/// The stake is spread over several sizes of bets. Most of it lies on the largest, which is best where runs hardly
/// differ; the small ones survive bad runs. The order of runs does not matter, and one may look at any time. Runs may
/// even depend on earlier ones, as long as the mean of each, given the earlier ones, lies on the stated side of t.
/// </remarks>
internal sealed class RunMeanBets
{
    // The parts of the largest possible bet: at the largest, one run at the far end takes all.
    private static readonly (double Size, double Stake)[] s_bets =
    [
        (.99, .6),
        (.75, .12),
        (.5, .1),
        (.3, .08),
        (.15, .05),
        (.06, .03),
        (.02, .02),
    ];

    private readonly double[] _logWealth = new double[s_bets.Length];
    private readonly bool _above;
    private readonly double _most;

    /// <param name="threshold">t, between the least and the largest mean of a run.</param>
    /// <param name="above">Whether the bets are that the mean lies above t; otherwise below.</param>
    /// <param name="least">The least mean of a run, at least 0. The nearer to t, the larger bets above.</param>
    /// <param name="most">The largest mean that a run can have, at most 1.</param>
    public RunMeanBets(double threshold, bool above, double least = 0, double most = 1)
    {
        if (!(least >= 0 && most <= 1 && threshold > least && threshold < most))
            throw new ArgumentOutOfRangeException(nameof(threshold), threshold, $"must be in ({least}, {most})");
        (Threshold, _above, Least, _most) = (threshold, above, least, most);
    }

    /// <summary>t.</summary>
    public double Threshold { get; }

    /// <summary>The least mean that a run can have.</summary>
    public double Least { get; }

    /// <summary>The logarithm of the wealth.</summary>
    public double LogWealth
    {
        get
        {
            var largest = double.NegativeInfinity;
            for (var i = 0; i < s_bets.Length; i++)
                largest = Math.Max(largest, _logWealth[i]);
            var sum = 0.0;
            for (var i = 0; i < s_bets.Length; i++)
                sum += s_bets[i].Stake * Math.Exp(_logWealth[i] - largest);
            return largest + Math.Log(sum);
        }
    }

    /// <summary>Bets on one more run.</summary>
    /// <param name="mean">Its mean, between the least and the largest one.</param>
    /// <returns>The logarithm of the wealth afterwards.</returns>
    public double Add(double mean)
    {
        Add(mean, copies: 1);
        return LogWealth;
    }

    /// <summary>Bets on several runs that are equal.</summary>
    /// <param name="mean">Their mean, between the least and the largest one.</param>
    /// <param name="copies">How many there are, positive, not always whole.</param>
    public void Add(double mean, double copies)
    {
        if (!(mean >= Least && mean <= _most))
            throw new ArgumentOutOfRangeException(nameof(mean), mean, $"must be in {Least} .. {_most}");
        var gain = _above ? (mean - Threshold) / (Threshold - Least) : (Threshold - mean) / (_most - Threshold);
        for (var i = 0; i < s_bets.Length; i++)
            _logWealth[i] += copies * Math.Log(1 + s_bets[i].Size * gain);
    }

    /// <summary>Bets on a run whose mean is not known: it counts as the mean that costs most.</summary>
    /// <returns>The logarithm of the wealth afterwards.</returns>
    public double AddUnknown() => Add(_above ? Least : _most);
}
