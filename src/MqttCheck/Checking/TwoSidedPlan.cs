namespace MqttCheck.Checking;

/// <summary>
/// The two-sided test of a predicted probability p: two sequential probability ratio tests on the same outcomes, (p - d against p) and (p against p + d), the three
/// hypotheses of Sobel and Wald (1949). Both accept p: as predicted. The lower accepts p - d: worse. The upper accepts p + d: better. The errors of both
/// sides add up, so each has half of the stated error.
/// </summary>
/// <remarks>
/// A one-sided test would accept every timid prediction; it is offered to compare with (<c>oneSided</c>). Near 1 the room for being better shrinks: the hypothesis "better" then lies at .99, and where that is nearer than
/// <see cref="NarrowestShare"/> of the indifference there is no upper side, because no truth is better by what matters: a narrower side would call truths "better" that lie well inside the indifference, and take thousands of
/// outcomes for it. A prediction of .99 or more counts as .99. Near 0 the same holds for the lower side.
/// </remarks>
public sealed record TwoSidedPlan
{
    /// <summary>Predictions closer to 1, or to 0, than this are moved to this distance: at a hypothesis of 1 one slow message would decide.</summary>
    public const double Margin = .01;

    /// <summary>A side exists where its hypothesis can lie at least this share of the indifference away from the prediction, and <see cref="Margin"/> or more off the end.</summary>
    public const double NarrowestShare = .9;

    // In sums and differences of decimal numbers.
    private const double Rounding = 1e-9;

    /// <summary>A plan.</summary>
    /// <param name="predicted">The predicted probability p, 0 .. 1.</param>
    /// <param name="indifference">How far from p a truth may lie and still count as p, in (0, .5).</param>
    /// <param name="error">Largest probability of a wrong verdict, in (0, 1): of finding the prediction refuted when it is right, or confirmed when it is wrong by the indifference.</param>
    /// <param name="predictionHalfWidth">Half the width of the prediction's own interval: no side tests a smaller difference.</param>
    /// <param name="bounds">How the stopping bounds follow from the error.</param>
    /// <param name="oneSided">Whether only "worse" is tested, as in the method's original paper: a broker that is better then confirms the prediction, and the one side has the whole error, below .5.</param>
    public TwoSidedPlan(
        double predicted, double indifference, double error, double predictionHalfWidth = 0, SprtBounds bounds = SprtBounds.Strict, bool oneSided = false)
    {
        Require(predicted is >= 0 and <= 1, nameof(predicted), predicted, "must be in 0 .. 1");
        Require(indifference is > 0 and < .5, nameof(indifference), indifference, "must be in (0, .5)");
        Require(error is > 0 and < 1, nameof(error), error, "must be in (0, 1)");
        Require(predictionHalfWidth >= 0, nameof(predictionHalfWidth), predictionHalfWidth, "must be at least 0");
        Predicted = predicted;
        Tested = Math.Clamp(predicted, Margin, 1 - Margin);
        Error = error;
        IsOneSided = oneSided;
        SideError = oneSided ? error : error / 2;
        var wanted = Math.Max(indifference, predictionHalfWidth);
        var (above, below) = (Distance(1 - Tested), Distance(Tested));
        Upper = oneSided || above is null ? null : new SprtPlan(Tested, Tested + above.Value, SideError, SideError, bounds);
        Lower = below is null ? null : new SprtPlan(Tested - below.Value, Tested, SideError, SideError, bounds);

        double? Distance(double towardsEnd)
        {
            var room = towardsEnd - Margin;
            return room >= NarrowestShare * wanted - Rounding ? Math.Min(wanted, room) : null;
        }
    }

    /// <summary>The predicted probability as given.</summary>
    public double Predicted { get; }

    /// <summary>The probability that is tested: the predicted one, moved away from 0 and 1.</summary>
    public double Tested { get; }

    /// <summary>Largest probability of a wrong verdict.</summary>
    public double Error { get; }

    /// <summary>The error of each side: half of <see cref="Error"/>, or all of it in a one-sided test.</summary>
    public double SideError { get; }

    /// <summary>Whether there is no upper side because none was asked for.</summary>
    public bool IsOneSided { get; }

    /// <summary>p - d against p; null when p is so low that there is no room below.</summary>
    public SprtPlan? Lower { get; }

    /// <summary>p against p + d; null when p is so high that there is no room above, and in a one-sided test.</summary>
    public SprtPlan? Upper { get; }

    /// <summary>How far below p the worse hypothesis lies; 0 without a lower side.</summary>
    public double LowerIndifference => Lower is null ? 0 : Lower.P1 - Lower.P0;

    /// <summary>How far above p the better hypothesis lies; 0 without an upper side.</summary>
    public double UpperIndifference => Upper is null ? 0 : Upper.P1 - Upper.P0;

    private static void Require(bool holds, string name, double value, string allowed)
    {
        if (!holds) throw new ArgumentOutOfRangeException(name, value, allowed);
    }
}
