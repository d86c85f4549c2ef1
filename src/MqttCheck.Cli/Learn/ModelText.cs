using System.Globalization;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Models;
using static System.FormattableString;

namespace MqttCheck.Cli.Learn;

/// <summary>A learned model in words and tables.</summary>
internal static class ModelText
{
    /// <summary>Prints the regression behind a model.</summary>
    public static void Print(Screen screen, RegressionTable regression)
    {
        screen.Line();
        var table = new TextTable("regressor", "coefficient, ms", "standard error", "t", "p");
        foreach (var one in regression.Coefficients)
            table.Add(
                one.Regressor,
                Digits(one.Estimate),
                Digits(one.StandardError),
                TableCell.Of(
                    one.T,
                    double.IsFinite(one.T) ? one.T.ToString("0.00", CultureInfo.InvariantCulture) : "-"
                ),
                TableCell.Of(one.P, NumberText.PValue(one.P))
            );
        table.Print(screen);
        screen.Line(
            Invariant($"R2 {regression.RSquared:0.####}, adjusted {regression.AdjustedRSquared:0.####}; ")
                + Invariant($"residual deviation {regression.ResidualDeviationMilliseconds:G4} ms with ")
                + Invariant($"{regression.DegreesOfFreedom} degrees of freedom")
        );
        screen.Line(
            "Kinds of messages are relative to connect. t and p hold for independent "
                + "exchanges; exchanges that overlap are not, so they promise too much."
        );
    }

    private static string Range(double? from, double to) =>
        (from is { } known ? known.ToString("0.#", CultureInfo.InvariantCulture) : "up")
        + " to "
        + to.ToString("0.#", CultureInfo.InvariantCulture);

    private static TableCell Digits(double value) =>
        TableCell.Of(value, value.ToString("G4", CultureInfo.InvariantCulture));

    /// <summary>Prints what was learned.</summary>
    public static void Print(Screen screen, LearnedModel model, string path)
    {
        screen.Lines(model.Training.Notes.Select(note => $"Note: {note}"));
        if (model.Training.Coarse)
            screen.Line("Note: the exploration was short; the model is coarse.");
        screen.Line(
            Invariant($"model: {path} ({model.Model.Kind}, {model.Broker.Name} ")
                + Invariant($"{model.Broker.Version}, {model.Training.Cases} cases)")
        );
        screen.Line(
            "exchanges: "
                + string.Join(
                    ", ",
                    Enum.GetValues<MessageKind>()
                        .Select(kind => Invariant($"{model.Training.ExchangesByKind[(int)kind]} {kind.Name()}"))
                )
        );
        screen.Line(
            Invariant($"seen: {Range(model.Ranges.Smallest?.Clients, model.Ranges.Clients)} clients, ")
                + Invariant(
                    $"{Range(model.Ranges.Smallest?.ActiveMessages, model.Ranges.ActiveMessages)} open exchanges, "
                )
                + Invariant(
                    $"{Range(model.Ranges.Smallest?.MessagesPerSecond, model.Ranges.MessagesPerSecond)} messages/s"
                )
        );
        if (model.Training.Profile is { Names.Count: > 0, MeanWaitMilliseconds: { } waits } profile)
            screen.Line(
                Invariant($"trained on: {string.Join(", ", profile.Names)} with ")
                    + Invariant($"mean waits of {Range(waits.Lower, waits.Upper)} ms")
            );
        if (model.Quality is { } quality)
        {
            screen.Line(
                Invariant($"fit: on {quality.Exchanges} exchanges of {quality.HeldOutCases} held-out ")
                    + Invariant($"cases the law is off by at most {quality.KolmogorovSmirnov:P1}; ")
                    + Invariant($"{quality.AboveNinetyNinePercent:P1} lie above its 99 % quantile")
            );
        }
        if (model.Regression is { } regression)
            Print(screen, regression);
    }
}
