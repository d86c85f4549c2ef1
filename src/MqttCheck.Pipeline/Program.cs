using MqttCheck.Pipeline.Commands;

return await PipelineCommands.RunAsync(args);
