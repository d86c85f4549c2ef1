using MqttCheck.Statistics;

namespace MqttCheck.Sequential;

/// <summary>
/// The hypotheses about a predicted probability p with its own interval from L to U. With the indifference d, a truth
/// of min(L, p - d) or less is worse. A truth of max(U, p + d) or more is better. Everything between counts as
/// predicted. The errors of both sides add up, so each has half of the stated error.
/// </summary>
/// <remarks>
/// A one-sided test would accept every prediction that is too low; it is offered to compare with (<c>oneSided</c>). If
/// "better" would begin beyond .99 there is no upper side, because no truth is better by a relevant amount. Near 0 the
/// same holds for the lower side. For independent outcomes each side is a sequential probability ratio test against p.
/// These are the three hypotheses of Sobel and Wald (1949); a prediction of .99 or more counts as .99.
/// </remarks>
public sealed record TwoSidedPlan
{
    /// <summary>
    /// Predictions closer to 1, or to 0, than this are moved to this distance: at a hypothesis of 1 one slow message
    /// would decide.
    /// </summary>
    public const double Margin = .01;

    // In sums and differences of decimal numbers.
    private const double Rounding = 1e-9;

    /// <summary>A plan.</summary>
    /// <param name="predicted">The predicted probability p, 0 .. 1.</param>
    /// <param name="indifference">How far from p a truth may lie and still count as p, in (0, .5).</param>
    /// <param name="error">
    /// Largest probability of a wrong verdict, in (0, 1): of finding the prediction refuted when it is right, or
    /// confirmed when it is wrong by the indifference.
    /// </param>
    /// <param name="interval">
    /// The prediction's own interval, in which no truth is worse or better; null for none.
    /// </param>
    /// <param name="bounds">How the stopping bounds follow from the error.</param>
    /// <param name="oneSided">
    /// Whether only "worse" is tested, as in the method's original paper: a broker that is better then confirms the
    /// prediction, and the one side has the whole error, below .5.
    /// </param>
    public TwoSidedPlan(
        double predicted,
        double indifference,
        double error,
        Interval? interval = null,
        SprtBounds bounds = SprtBounds.Strict,
        bool oneSided = false
    )
    {
        Arguments.Require(predicted is >= 0 and <= 1, predicted, "must be in 0 .. 1");
        Arguments.Require(indifference is > 0 and < .5, indifference, "must be in (0, .5)");
        Arguments.Require(error is > 0 and < 1, error, "must be in (0, 1)");
        Predicted = predicted;
        Tested = Math.Clamp(predicted, Margin, 1 - Margin);
        Error = error;
        IsOneSided = oneSided;
        SideError = oneSided ? error : error / 2;
        var (below, above) = (
            Math.Max(indifference, predicted - (interval?.Lower ?? predicted)),
            Math.Max(indifference, (interval?.Upper ?? predicted) - predicted)
        );
        // If the indifference is smaller than the margin, a prediction nearer to the end counts as one at the margin.
        var (worse, better) = (
            predicted - below < Tested ? predicted - below : Tested - below,
            predicted + above > Tested ? predicted + above : Tested + above
        );
        if (worse >= Margin - Rounding)
            Lower = new SprtPlan(Math.Max(Margin, worse), Tested, SideError, SideError, bounds);
        if (!oneSided && better <= 1 - Margin + Rounding)
            Upper = new SprtPlan(Tested, Math.Min(1 - Margin, better), SideError, SideError, bounds);
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

    /// <summary>
    /// The test of the worse hypothesis, at its <see cref="SprtPlan.P0"/>, against p. It is null when that hypothesis
    /// would lie below <see cref="Margin"/>.
    /// </summary>
    public SprtPlan? Lower { get; }

    /// <summary>
    /// The test of p against the better hypothesis, at its <see cref="SprtPlan.P1"/>. It is null in a one-sided test,
    /// and when that hypothesis would lie above 1 less <see cref="Margin"/>.
    /// </summary>
    public SprtPlan? Upper { get; }

    /// <summary>The largest probability that is worse than predicted; null without a lower side.</summary>
    public double? Worse => Lower?.P0;

    /// <summary>The smallest probability that is better than predicted; null without an upper side.</summary>
    public double? Better => Upper?.P1;

    /// <summary>How far below p the worse hypothesis lies; 0 without a lower side.</summary>
    public double LowerIndifference => Lower is null ? 0 : Predicted - Lower.P0;

    /// <summary>How far above p the better hypothesis lies; 0 without an upper side.</summary>
    public double UpperIndifference => Upper is null ? 0 : Upper.P1 - Predicted;
}
