using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Statistics;

namespace MqttCheck.Benchmarks.Learning;

/// <summary>
/// What reading, fitting and drawing cost, on any log: <c>learning LOG.csv</c>. Processor time, all threads; aims for
/// 300 000 exchanges: under 10 s for reading and every learner together, least squares alone under 0.3 s; one draw at
/// most 15 ns from tables, 110 ns from any model. Where Rscript is installed, R's <c>lm</c> fits the same regression in
/// the same run.
/// </summary>
internal static class LatencyDraws
{
    private const int Batches = 4000,
        WarmUpBatches = 1000,
        DrawsOfBatch = 1000;

    public static int Run(string[] arguments)
    {
        var start = Processor();
        var log = ExchangeLogReader.Read(arguments[0]);
        Print("read", start);
        start = Processor();
        var data = TrainingData.From(log);
        Print(string.Create(CultureInfo.InvariantCulture, $"clean {data.Rows.Length} exchanges"), start);
        var random = RandomStream.For(1);
        var features = new ExchangeFeatures[4096];
        for (var i = 0; i < features.Length; i++)
            features[i] = data.Rows[random.NextInt(data.Rows.Length)].Features;
        foreach (var learner in LearnerCatalogue.All)
        {
            start = Processor();
            var model = learner.Learn(data, 1).Model;
            Print("fit " + learner.Name, start);
            Console.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"  one draw {model.Use(200, new Timing(features)):0.0} ns")
            );
        }
        FitByR(data);
        return 0;
    }

    // Without the columns that are no regressors of their own: R leaves out dependent ones itself.
    private static void FitByR(TrainingData data)
    {
        var file = Path.GetTempFileName();
        try
        {
            using (var writer = new StreamWriter(file))
            {
                var names = LinearNormalModel.Regressors[1..];
                writer.WriteLine(
                    "y,"
                        + string.Join(',', names.Select((_, i) => string.Create(CultureInfo.InvariantCulture, $"x{i}")))
                );
                var row = new double[LinearNormalModel.Regressors.Length];
                foreach (var exchange in data.Rows)
                {
                    LinearNormalModel.Fill(exchange.Features, row);
                    writer.WriteLine(
                        exchange.LatencyMilliseconds.ToString("R", CultureInfo.InvariantCulture)
                            + ","
                            + string.Join(
                                ',',
                                row.Skip(1).Select(value => value.ToString("R", CultureInfo.InvariantCulture))
                            )
                    );
                }
            }
            const string script =
                "f <- commandArgs(TRUE)[1]; r <- system.time(d <- read.csv(f)); t <- system.time(m <- "
                + "lm(y ~ ., d)); s <- system.time(summary(m)); cat(sprintf('R: read %.2f s, lm %.2f s, "
                + "summary %.2f s, R2 %.6f\n', sum(r[1:2]), sum(t[1:2]), sum(s[1:2]), summary(m)$r.squared))";
            using var process = Process.Start(new ProcessStartInfo("Rscript", ["-e", script, file]))!;
            process.WaitForExit();
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            Console.WriteLine($"R: not measured, {exception.Message}");
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static double Processor() => Process.GetCurrentProcess().TotalProcessorTime.TotalSeconds;

    private static void Print(string what, double start) =>
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{what}: {Processor() - start:0.00} s"));

    private sealed class Timing(ExchangeFeatures[] features) : ILatencyProcessConsumer<double>
    {
        public double Run<TProcess>(Func<TProcess> create)
            where TProcess : struct, ILatencyProcess
        {
            var process = create();
            var random = RandomStream.For(2);
            process.Reset(ref random);
            var (sum, start) = (0.0, 0.0);
            for (var batch = 0; batch < Batches; batch++)
            {
                // The first batches pool tables that were not yet asked for, and are compiled, as a simulation's step
                // is, after some calls.
                if (batch == WarmUpBatches)
                    start = Processor();
                sum += Draw(ref process, ref random, batch * DrawsOfBatch);
            }
            var nanoseconds = (Processor() - start) * 1e9 / ((Batches - WarmUpBatches) * DrawsOfBatch);
            return double.IsNaN(sum) ? throw new InvalidOperationException("A draw is not a number.") : nanoseconds;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private double Draw<TProcess>(ref TProcess process, ref RandomStream random, int first)
            where TProcess : struct, ILatencyProcess
        {
            var sum = 0.0;
            for (var i = first; i < first + DrawsOfBatch; i++)
                sum += process.Start(i & 127, features[i & 4095], i, ref random).TimeMilliseconds;
            return sum;
        }
    }
}
