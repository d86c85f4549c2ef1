using System.Diagnostics;
using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests.Actions;

/// <summary>The steps of action.yml that run in a shell, run as a runner of GitHub runs them.</summary>
internal sealed partial class ActionSteps(WorkDirectory directory, string path)
{
    private static readonly string[] s_lines = File.ReadAllLines(RepositoryFiles.At("action.yml"));
    private readonly Dictionary<string, string> _values = Defaults();

    /// <summary>What the steps appended to the job's summary.</summary>
    public string Summary =>
        File.Exists(directory.File("summary.md")) ? File.ReadAllText(directory.File("summary.md")) : "";

    /// <summary>The value of an expression, such as <c>steps.mqttcheck.outputs.exit-code</c>.</summary>
    public string this[string name]
    {
        get => _values.GetValueOrDefault(name, "");
        set => _values[name] = value;
    }

    /// <summary>The steps with a script: their names, and their lines in the file.</summary>
    public static IReadOnlyList<(string Id, string[] Lines)> All()
    {
        var starts = Enumerable
            .Range(0, s_lines.Length)
            .Where(i => s_lines[i].StartsWith("    - ", StringComparison.Ordinal))
            .Append(s_lines.Length)
            .ToList();
        return
        [
            .. starts
                .Zip(starts.Skip(1), (from, to) => s_lines[from..to])
                .Where(lines => lines.Contains("      run: |"))
                .Select(lines => (Id().Match(lines[0]).Groups[1].Value, lines)),
        ];
    }

    /// <summary>Runs one step: the code it ends with, and what it printed.</summary>
    public async Task<(int Code, string Printed)> RunAsync(string[] step)
    {
        var at = Array.IndexOf(step, "      run: |");
        var script = directory.File("step.sh");
        await File.WriteAllLinesAsync(script, step[(at + 1)..].Select(line => line.Length > 8 ? line[8..] : ""));
        var output = directory.File("output");
        await File.WriteAllTextAsync(output, "");
        // The command line of 'shell: bash', from GitHub's documentation of workflows.
        var start = new ProcessStartInfo("bash", ["--noprofile", "--norc", "-eo", "pipefail", script])
        {
            WorkingDirectory = directory.Path,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var variable in step[..at].Select(line => Variable().Match(line)).Where(match => match.Success))
            start.Environment[variable.Groups[1].Value] = Filled(variable.Groups[2].Value);
        start.Environment["PATH"] = path + Path.PathSeparator + start.Environment["PATH"];
        start.Environment["CI"] = "true";
        start.Environment["GITHUB_ACTIONS"] = "true";
        start.Environment["GITHUB_OUTPUT"] = output;
        start.Environment["GITHUB_STEP_SUMMARY"] = directory.File("summary.md");
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync();
        var printed = await process.StandardOutput.ReadToEndAsync() + await error;
        await process.WaitForExitAsync();
        foreach (Match pair in Output().Matches(await File.ReadAllTextAsync(output)))
            this[$"steps.{Id().Match(step[0]).Groups[1].Value}.outputs.{pair.Groups[1].Value}"] = pair.Groups[3].Success
                ? pair.Groups[3].Value.Trim()
                : pair.Groups[4].Value;
        return (process.ExitCode, printed);
    }

    /// <summary>The names of the inputs, with their defaults.</summary>
    private static Dictionary<string, string> Defaults()
    {
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        var name = "";
        foreach (var line in s_lines.SkipWhile(line => line != "inputs:").TakeWhile(line => line != "outputs:"))
        {
            if (Input().Match(line) is { Success: true } input)
                values[name = "inputs." + input.Groups[1].Value] = "";
            if (line.StartsWith("    default: ", StringComparison.Ordinal))
                values[name] = line["    default: ".Length..].Trim('\'');
        }
        return values;
    }

    private string Filled(string text) =>
        Expression()
            .Replace(
                text,
                match =>
                    _values.TryGetValue(match.Groups[1].Value, out var value)
                        ? value
                        : throw new InvalidOperationException($"action.yml knows no {match.Value}")
            );

    [GeneratedRegex(@"^    - id: (\S+)|^    - if: ")]
    private static partial Regex Id();

    [GeneratedRegex(@"^        ([A-Z_]+): (.*)$")]
    private static partial Regex Variable();

    [GeneratedRegex(@"^  ([a-z-]+):$")]
    private static partial Regex Input();

    [GeneratedRegex(@"\$\{\{ ([\w.-]+) \}\}")]
    private static partial Regex Expression();

    // NAME=VALUE, or NAME<<END with lines up to END.
    [GeneratedRegex(@"^([\w-]+)(?:<<(\S+)\n((?:.*\n)*?)\2|=(.*))$", RegexOptions.Multiline)]
    private static partial Regex Output();
}
