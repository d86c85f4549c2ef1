namespace MqttCheck.Checking;

/// <summary>
/// The two-sided test of a predicted probability p: two sequential probability ratio tests on the same outcomes, (p - d against p) and (p against p + d), the three
/// hypotheses of Sobel and Wald (1949). Both accept p: as predicted. The lower accepts p - d: worse. The upper accepts p + d: better. The errors of both
/// sides add up, so each has half of the stated error.
/// </summary>
/// <remarks>
/// A one-sided test would accept every timid prediction. Near 1 the room for being better shrinks: above .9 the upper side tests (1 - p) / 2, and a p of
/// .99 or more counts as .99 and has no upper side, where a test would take thousands of outcomes to tell "good" from "very good". Near 0 the same holds for the lower side.
/// </remarks>
public sealed record TwoSidedPlan
{
    /// <summary>Predictions closer to 1, or to 0, than this are moved to this distance: at a hypothesis of 1 one slow message would decide.</summary>
    public const double Margin = .01;

    private const double NarrowFrom = .1;

    // The margin, and rounding in 1 - .99.
    private const double SmallestRoom = Margin + 1e-9;

    /// <summary>A plan.</summary>
    /// <param name="predicted">The predicted probability p, 0 .. 1.</param>
    /// <param name="indifference">How far from p a truth may lie and still count as p, in (0, .5).</param>
    /// <param name="error">Largest probability of a wrong verdict, in (0, 1): of finding the prediction refuted when it is right, or confirmed when it is wrong by the indifference.</param>
    /// <param name="predictionHalfWidth">Half the width of the prediction's own interval: no side tests a smaller difference.</param>
    /// <param name="bounds">How the stopping bounds follow from the error.</param>
    public TwoSidedPlan(
        double predicted, double indifference, double error, double predictionHalfWidth = 0, SprtBounds bounds = SprtBounds.Strict)
    {
        Require(predicted is >= 0 and <= 1, nameof(predicted), predicted, "must be in 0 .. 1");
        Require(indifference is > 0 and < .5, nameof(indifference), indifference, "must be in (0, .5)");
        Require(error is > 0 and < 1, nameof(error), error, "must be in (0, 1)");
        Require(predictionHalfWidth >= 0, nameof(predictionHalfWidth), predictionHalfWidth, "must be at least 0");
        Predicted = predicted;
        Tested = Math.Clamp(predicted, Margin, 1 - Margin);
        Error = error;
        var room = 1 - Tested;
        Upper = room <= SmallestRoom ? null : new SprtPlan(Tested, Tested + Distance(room), error / 2, error / 2, bounds);
        Lower = Tested <= SmallestRoom ? null : new SprtPlan(Tested - Distance(Tested), Tested, error / 2, error / 2, bounds);

        double Distance(double towardsEnd)
        {
            var wanted = Math.Max(towardsEnd < NarrowFrom ? towardsEnd / 2 : indifference, predictionHalfWidth);
            return Math.Min(wanted, Math.Max(towardsEnd - Margin, towardsEnd / 2));
        }
    }

    /// <summary>The predicted probability as given.</summary>
    public double Predicted { get; }

    /// <summary>The probability that is tested: the predicted one, moved away from 0 and 1.</summary>
    public double Tested { get; }

    /// <summary>Largest probability of a wrong verdict.</summary>
    public double Error { get; }

    /// <summary>p - d against p; null when p is at most .01.</summary>
    public SprtPlan? Lower { get; }

    /// <summary>p against p + d; null when p is at least .99.</summary>
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
