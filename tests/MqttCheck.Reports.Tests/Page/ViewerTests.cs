using System.Diagnostics;
using MqttCheck.Reports.Page;

namespace MqttCheck.Reports.Tests.Page;

public sealed class ViewerTests
{
    [Test]
    public void The_lock_file_names_no_registry()
    {
        var text = File.ReadAllText(RepositoryFiles.At("src/MqttCheck.Reports/viewer/package-lock.json"));
        Assert.That(text, Does.Not.Contain("resolved").And.Not.Contain("http").And.Contain("\"integrity\": \"sha512-"));
    }

    [Test]
    public void The_bundle_cannot_end_its_script_element()
    {
        Assert.That(Viewer.Script, Does.Not.Contain("</script").IgnoreCase.And.Not.Contain("<!--"));
    }

    [Test]
    [Category("Whole")]
    public async Task The_bundles_in_the_repository_are_those_of_the_source()
    {
        Missing.Require("npm", "apt-get install nodejs npm");
        var made = Directory.CreateTempSubdirectory("mqttcheck-viewer-");
        try
        {
            using var process = Process.Start(
                new ProcessStartInfo(RepositoryFiles.At("scripts/viewer"), [made.FullName])
                {
                    RedirectStandardOutput = true,
                    RedirectStandardError = true,
                }
            )!;
            var errors = process.StandardError.ReadToEndAsync();
            var said = await process.StandardOutput.ReadToEndAsync() + await errors;
            await process.WaitForExitAsync();
            Assert.That(process.ExitCode, Is.Zero, said);
            foreach (var name in (string[])["viewer.js", "what-if.js"])
                Assert.That(
                    await File.ReadAllBytesAsync(RepositoryFiles.At("src/MqttCheck.Reports/viewer/built/" + name)),
                    Is.EqualTo(await File.ReadAllBytesAsync(Path.Combine(made.FullName, name))),
                    $"{name} is not that of its source; scripts/viewer makes it"
                );
        }
        finally
        {
            made.Delete(recursive: true);
        }
    }
}
