namespace MqttCheck.AcceptanceTests;

/// <summary>The file that <c>report</c> writes where no name is given.</summary>
public sealed class ReportFileTests
{
    [TestCase(null, "report.html")]
    [TestCase("markdown", "report.md")]
    [TestCase("junit", "report.xml")]
    public async Task A_report_has_a_usual_name_with_the_ending_of_its_format(string? format, string name)
    {
        using var directory = new WorkDirectory();
        var model = RepositoryFiles.At("models/embedded-example.json");
        string[] words = ["report", "--model", model, .. format is null ? (string[])[] : ["--format", format]];
        var result = await ToolProcess.SucceedAsync(directory.Path, words);
        Assert.That(result.Output, Does.Contain($"report: {name}"));
        Assert.That(new FileInfo(directory.File(name)).Length, Is.Positive);
    }
}
