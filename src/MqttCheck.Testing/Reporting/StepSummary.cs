using System.Net;
using MqttCheck.Reports.Documents;

namespace MqttCheck.Testing.Reporting;

/// <summary>Adds results of tests to the job summary of GitHub Actions, where tests run in one.</summary>
internal static class StepSummary
{
    /// <summary>The variable that holds the path of the summary.</summary>
    public const string Variable = "GITHUB_STEP_SUMMARY";

    /// <summary>Adds a result, folded unless it is bad. A summary that cannot be written changes no test.</summary>
    public static void Append(TestHost host, ReportDocument document)
    {
        if (Environment.GetEnvironmentVariable(Variable) is not { Length: > 0 } path)
            return;
        try
        {
            using var text = new StringWriter();
            var open = document.Tone == DocumentTone.Good ? "" : " open";
            var title = WebUtility.HtmlEncode($"{document.Headline}: {host.Name}");
            text.Write($"<details{open}><summary>{title}</summary>\n\n");
            MarkdownDocument.Write(text, document);
            text.Write("\n</details>\n\n");
            // One call, because other processes may add theirs.
            File.AppendAllText(path, text.ToString());
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            host.WriteProgress($"MqttCheck: the job summary could not be written: {exception.Message}");
        }
    }
}
