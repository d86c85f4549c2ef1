using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Net.Http.Headers;
using MqttCheck.Latency.Files;
using MqttCheck.Learning;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Server.Live;
using MqttCheck.Shards;
using static System.FormattableString;

namespace MqttCheck.Server.Hosting;

/// <summary>
/// Learns models from logs that a browser sends, as 'mqttcheck learn' does. A log is saved in the output directory and
/// named by its content, so that the command can name it.
/// </summary>
/// <param name="options">The options of the server.</param>
internal sealed class LogUpload(WhatIfOptions options)
{
    private const string LogPart = "log";
    private const string InformationPart = "information";
    private const int BufferBytes = 65_536;
    private const ulong Seed = 1;

    private static readonly string s_allowed =
        $"allowed: a form with the part \"{LogPart}\", a CSV file that 'mqttcheck explore' wrote, and, if there is "
        + $"one, the part \"{InformationPart}\", the .run.json file beside it";

    // One log at a time, so that what is half received stays bounded.
    private int _receiving;

    /// <summary>Receives a log.</summary>
    /// <returns>Its path.</returns>
    /// <exception cref="Refusal">Another one is being received, or this is no form.</exception>
    /// <exception cref="InputException">It cannot be saved.</exception>
    public async Task<string> ReceiveAsync(HttpContext context)
    {
        if (Interlocked.Exchange(ref _receiving, 1) == 1)
            throw new Refusal(StatusCodes.Status409Conflict, "Another log is being received; try again after it.");
        var directory = Path.Combine(options.Output, "logs");
        var (log, information) = (Path.Combine(directory, "upload.part"), Path.Combine(directory, "upload.json.part"));
        try
        {
            context.Features.Get<IHttpMaxRequestBodySizeFeature>()!.MaxRequestBodySize = options.LogBytes;
            await ReceiveAsync(context, directory, log, information);
            return Keep(directory, log, information);
        }
        catch (Exception failure)
            when (failure
                    is UnauthorizedAccessException
                        or IOException
                        and not Microsoft.AspNetCore.Http.BadHttpRequestException
                && !context.RequestAborted.IsCancellationRequested
            )
        {
            throw new InputException($"\"{directory}\" cannot be written: {failure.Message}", failure);
        }
        finally
        {
            // An upload may have failed before its directory existed, or may have left parts behind.
            if (Directory.Exists(directory))
            {
                File.Delete(log);
                File.Delete(information);
            }
            Volatile.Write(ref _receiving, 0);
        }
    }

    /// <summary>Learns from a log and offers the model.</summary>
    /// <param name="log">The log's path.</param>
    /// <exception cref="InputException">There is nothing to learn from. The log is removed.</exception>
    public LearnedHere Learn(string log)
    {
        try
        {
            var read = ExchangeLogReader.Read(log);
            var model = LatencyLearning.Learn([read], LearnerCatalogue.Default, Seed);
            var file = Path.Combine(options.Output, "models", Path.GetFileNameWithoutExtension(log) + ".json");
            LatencyModelFile.Write(file, model);
            var command = CommandText.Of(["learn", log, "--seed", Invariant($"{Seed}"), "--out", file]);
            // The same log again gives the same model.
            var offered = options.Models.All.FirstOrDefault(one => one.File == file) ?? options.Models.Add(file);
            return new(OfferedModel.Of(offered), command, [.. read.Warnings, .. model.Training.Notes]);
        }
        catch (InputException)
        {
            File.Delete(log);
            File.Delete(RunInformationFile.PathOf(log));
            throw;
        }
    }

    private static async Task ReceiveAsync(HttpContext context, string directory, string log, string information)
    {
        if (
            !MediaTypeHeaderValue.TryParse(context.Request.ContentType, out var type)
            || !type.MediaType.Equals("multipart/form-data", StringComparison.OrdinalIgnoreCase)
            || HeaderUtilities.RemoveQuotes(type.Boundary).Value is not { Length: > 0 and <= 100 } boundary
        )
            throw new Refusal(StatusCodes.Status415UnsupportedMediaType, $"This is no form; {s_allowed}.");
        var parts = new MultipartReader(boundary, context.Request.Body);
        try
        {
            while (await parts.ReadNextSectionAsync(context.RequestAborted) is { } part)
            {
                var name = part.GetContentDispositionHeader()?.Name.Value?.Trim('"');
                var path = name switch
                {
                    LogPart => log,
                    InformationPart => information,
                    _ => throw new InputException($"part \"{name}\" given; {s_allowed}"),
                };
                Directory.CreateDirectory(directory);
                await using var file = new FileStream(
                    path,
                    FileMode.Create,
                    FileAccess.Write,
                    FileShare.None,
                    BufferBytes
                );
                await part.Body.CopyToAsync(file, context.RequestAborted);
            }
        }
        catch (InvalidDataException wrong)
        {
            throw new InputException($"The form is malformed: {wrong.Message}; {s_allowed}", wrong);
        }
        if (!File.Exists(log))
            throw new InputException($"There is no log; {s_allowed}");
    }

    private static string Keep(string directory, string log, string information)
    {
        var hash = JobDescription.HashOf([.. HashOf(log), .. HashOf(information)]);
        var kept = Path.Combine(directory, $"log-{hash[..12]}.csv");
        File.Move(log, kept, overwrite: true);
        if (File.Exists(information))
            File.Move(information, RunInformationFile.PathOf(kept), overwrite: true);
        return kept;
    }

    private static byte[] HashOf(string file)
    {
        if (!File.Exists(file))
            return [];
        using var content = File.OpenRead(file);
        return SHA256.HashData(content);
    }
}
