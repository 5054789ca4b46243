"""`turnserver doctor`: what is wrong with the installation, in sentences.

Each file examines one thing and returns findings. Repairs are other commands.
"""
