using System.Globalization;
using System.Text;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Fitting;
using MqttCheck.Learning.Learners;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Protocol.Interop;

namespace MqttCheck.Tests.Learning.Fitting;

/// <summary>The regression of latencies, held against R's <c>lm</c>.</summary>
public sealed class LeastSquaresInferenceTests
{
    // R prints 17 digits of everything: coefficients, standard errors, t, p, R2, adjusted R2, residual deviation,
    // covariance.
    private const string Script = """
        d <- read.csv(file("stdin"))
        f <- lm(y ~ ., data = d)
        s <- summary(f)
        out <- c(s$coefficients[, 1], s$coefficients[, 2], s$coefficients[, 3], s$coefficients[, 4], s$r.squared, s$adj.r.squared, s$sigma, vcov(f))
        cat(formatC(out, digits = 17, format = "g"), sep = "\n")
        """;

    private static readonly TrainingData Data = TrainingData.From(SyntheticBroker.TrainingLog(5, "up1", 30));

    [Test]
    public async Task Coefficients_errors_tests_R2_and_covariance_agree_with_R_to_eight_digits()
    {
        var fit = LeastSquaresLearner.Fit(Data);
        var names = LinearNormalModel.Regressors;
        Assert.That(fit.Kept, Has.Length.EqualTo(names.Length));
        var csv = new StringBuilder(string.Join(',', names.Skip(1).Append("y"))).Append('\n');
        var row = new double[names.Length];
        foreach (var exchange in Data.Rows)
        {
            LinearNormalModel.Fill(exchange.Features, row);
            csv.AppendJoin(
                    ',',
                    row.Skip(1)
                        .Append(exchange.LatencyMilliseconds)
                        .Select(value => value.ToString("R", CultureInfo.InvariantCulture))
                )
                .Append('\n');
        }

        var output = await ExternalTool.Run("Rscript", ["-e", Script], "apt-get install r-base-core", csv.ToString());
        var numbers = output
            .Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => double.Parse(line, CultureInfo.InvariantCulture))
            .ToArray();
        var table = fit.Table(names);
        double[] own =
        [
            .. fit.Coefficients,
            .. fit.StandardErrors,
            .. table.Coefficients.Select(one => one.T),
            .. table.Coefficients.Select(one => one.P),
            fit.RSquared,
            table.AdjustedRSquared,
            fit.ResidualDeviation,
            .. fit.Covariance,
        ];
        Assert.That(numbers, Has.Length.EqualTo(own.Length));
        using (Assert.EnterMultipleScope())
        {
            // A p value below the least double is 0 on both sides or nearly so.
            for (var i = 0; i < own.Length; i++)
                Assert.That(own[i], Is.EqualTo(numbers[i]).Within(1e-8 * Math.Abs(numbers[i]) + 1e-290), $"number {i}");
        }
    }
}
