using MqttCheck.Checking;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Checking;

/// <summary>Many simulated verifications of one prediction.</summary>
/// <param name="Confirmed">Verifications that confirmed it.</param>
/// <param name="Worse">Verifications that found the broker worse.</param>
/// <param name="Better">Verifications that found it better.</param>
/// <param name="Withheld">Verifications without verdict.</param>
internal sealed record VerificationStudy(int Confirmed, int Worse, int Better, int Withheld)
{
    public delegate Outcome[] RunSource(int run, ref RandomStream random);

    public int Total => Confirmed + Worse + Better + Withheld;

    /// <summary>Verifies each seed's runs up to a verdict or the budget.</summary>
    public static VerificationStudy Of(PredictedPoint point, VerificationOptions options, int budgetRuns, int verifications, ulong seed, RunSource source)
    {
        var kinds = new int[Enum.GetValues<VerdictKind>().Length];
        for (ulong i = 0; i < (ulong)verifications; i++)
        {
            var random = RandomStream.For(seed, i);
            var test = new PredictionTest(point, options);
            var kind = VerdictKind.Withheld;
            for (var run = 1; run <= budgetRuns && kind == VerdictKind.Withheld; run++) kind = test.AddRun(source(run, ref random)).Kind;
            kinds[(int)kind]++;
        }
        return new(kinds[(int)VerdictKind.Confirmed], kinds[(int)VerdictKind.Worse], kinds[(int)VerdictKind.Better], kinds[(int)VerdictKind.Withheld]);
    }

    /// <summary>Of independent, beta-binomial, or (at negative <paramref name="inflation"/>) autoregressive runs with that lag-1 correlation.</summary>
    public static VerificationStudy Of(
        double predicted, double truth, double inflation, int sequences, VerificationOptions options, int budgetRuns, int verifications, ulong seed) =>
        Of(SimulatedBroker.Predicted(predicted), options, budgetRuns, verifications, seed, (int run, ref RandomStream random) => inflation < 0
            ? SimulatedBroker.AutoregressiveRun(run, sequences, truth, -inflation, ref random)
            : SimulatedBroker.BetaBinomialRun(run, sequences, truth, inflation, ref random));

    /// <summary>The lower 99 % bound of a rate seen in this study: above a promise it shows that the promise is broken.</summary>
    public double LowerBound(int count) => BinomialIntervals.LowerBound(count, Total, .01);

    public override string ToString() => FormattableString.Invariant(
        $"confirmed {(double)Confirmed / Total:0.000} worse {(double)Worse / Total:0.000} better {(double)Better / Total:0.000} withheld {(double)Withheld / Total:0.000}");
}
